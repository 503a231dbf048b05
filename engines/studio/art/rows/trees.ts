/** Trees and bushes that a procedure draws branch by branch; their leaves and blossoms depend on
 *  the scene's season. */
export const treeRows = `
tree:oak | tree | tree | 12 | 1 | ground | oak, oak tree, deciduous tree, elm, beech, chestnut tree, linden, ash tree, walnut tree, leafy tree | 树 大树 橡树 树木 榕树 榆树 老树 绿树 小树 | > deciduous-tree
tree:maple | maple tree | tree | 11 | 1 | ground | maple, autumn tree, sycamore | 枫树 枫 红枫 秋树 |
tree:cherry | cherry tree | tree | 7 | 1.15 | ground | cherry blossom tree, sakura, sakura tree, blossoming tree, peach tree, plum tree, almond tree, cherry blossoms | 樱花树 樱树 樱花 桃树 桃花 梅花 梅树 桃花树 杏花 梨花 |
tree:apple | apple tree | tree | 6 | 1.1 | ground | fruit tree, pear tree | 苹果树 果树 梨树 |
tree:orange | orange tree | tree | 5 | 1 | ground | lemon tree, citrus tree, tangerine tree | 橘子树 橙树 柠檬树 橘树 |
tree:pine | pine tree | tree | 14 | 0.6 | ground | pine, scots pine, cedar | 松树 松 雪松 青松 | > evergreen-tree
tree:fir | fir tree | tree | 15 | 0.45 | ground | fir, spruce, conifer, evergreen, evergreen tree | 冷杉 杉树 云杉 针叶树 常青树 |
tree:cypress | cypress | tree | 12 | 0.2 | ground | cypress tree, poplar, poplar tree | 柏树 白杨 杨树 白杨树 |
tree:palm | palm tree | tree | 9 | 0.8 | ground | palm, coconut tree, coconut palm, date palm | 棕榈树 椰子树 椰树 棕榈 | > palm-tree
tree:willow | willow tree | tree | 9 | 1.2 | ground | willow, weeping willow | 柳树 垂柳 杨柳 柳 |
tree:birch | birch tree | tree | 12 | 0.55 | ground | birch, aspen, silver birch | 白桦树 桦树 白桦 |
tree:bare | bare tree | tree | 10 | 1 | ground | dead tree, leafless tree, withered tree, winter tree, barren tree | 枯树 秃树 光秃秃的树 | > leafless-tree
tree:ginkgo | ginkgo tree | tree | 12 | 0.8 | ground | ginkgo, gingko, golden tree, yellow tree | 银杏树 银杏 梧桐 梧桐树 |
tree:wisteria | wisteria | tree | 5 | 1.2 | ground | wisteria tree, jacaranda | 紫藤 紫藤树 蓝花楹 |
tree:acacia | acacia tree | tree | 8 | 1.6 | ground | acacia, umbrella tree, savanna tree | 金合欢树 合欢树 金合欢 |
tree:baobab | baobab tree | tree | 12 | 1 | ground | baobab | 猴面包树 |
tree:sequoia | redwood tree | tree | 60 | 0.25 | ground | redwood, sequoia, giant tree | 红杉 红杉树 巨树 参天大树 |
tree:bamboo | bamboo | plant | 9 | 0.7 | ground | bamboo stalk, bamboo grove, bamboo plant | 竹子 竹 竹林 翠竹 |
tree:bonsai | bonsai | plant | 0.5 | 1.2 | surface | bonsai tree, bonsai pine | 盆景 盆栽树 |
tree:bush | bush | plant | 1.2 | 1.4 | ground | shrub, hedge, shrubbery, boxwood | 灌木 灌木丛 树丛 树篱 绿篱 |
tree:olive | olive tree | tree | 6 | 1.1 | ground | | 橄榄树 |
tree:cactus | saguaro | plant | 4 | 0.6 | ground | saguaro cactus | 巨人柱 仙人柱 |
tree:stump | tree stump | plant | 0.6 | 1.3 | ground | stump | 树桩 |
tree:branch | branch | plant | 0.6 | 4 | ground | tree branch, bough, twig, flowering branch | 树枝 枝头 枝条 枝桠 |
tree:log | log | plant | 0.5 | 4 | ground | fallen tree, fallen log, tree trunk | 圆木 倒下的树 树干 原木 |
`
