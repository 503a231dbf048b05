/** Fruit, vegetables and nuts. */
export const produceRows = `
drawn:daikon | daikon | vegetable | 0.35 | 0.7 | surface | daikon radish, white radish, parsnip | 白萝卜 萝卜 |
drawn:radish | radish | vegetable | 0.14 | 0.7 | surface | red radish, radishes | 小红萝卜 |
drawn:beet | beet | vegetable | 0.18 | 0.7 | surface | beetroot, beets | 甜菜 |
drawn:turnip | turnip | vegetable | 0.18 | 0.7 | surface | rutabaga, kohlrabi | 芜菁 |
drawn:spring-onion | spring onion | vegetable | 0.3 | 0.6 | surface | scallion, green onion, leek, scallions, chives | 小葱 韭葱 葱 |
drawn:asparagus | asparagus | vegetable | 0.22 | 0.6 | surface | asparagus spear | 芦笋 |
drawn:artichoke | artichoke | vegetable | 0.14 | 1.06 | surface |  | 洋蓟 |
drawn:green-beans | green beans | vegetable | 0.12 | 1.4 | surface | green bean, string beans | 四季豆 青豆角 |
drawn:celery | celery | vegetable | 0.35 | 0.9 | surface | celery stalk, rhubarb | 芹菜 |
drawn:cabbage | cabbage | vegetable | 0.2 | 1.15 | surface | head of cabbage, iceberg lettuce | 卷心菜 包菜 |
drawn:cauliflower | cauliflower | vegetable | 0.18 | 1.3 | surface | | 花菜 |
drawn:brussels-sprout | brussels sprout | vegetable | 0.04 | 0.95 | surface | brussels sprouts, brussel sprouts | 抱子甘蓝 |
drawn:zucchini | zucchini | vegetable | 0.08 | 2 | surface | courgette | 西葫芦 |
drawn:red-onion | red onion | vegetable | 0.1 | 0.95 | surface | purple onion, shallot | 红洋葱 |
drawn:raspberry | raspberry | fruit | 0.03 | 0.73 | surface | raspberries | 覆盆子 树莓 |
drawn:blackberry | blackberry | fruit | 0.03 | 0.73 | surface | blackberries, mulberry | 黑莓 桑葚 |
drawn:plum | plum | fruit | 0.06 | 0.9 | surface | prune | 李子 |
drawn:pomegranate | pomegranate | fruit | 0.1 | 0.95 | surface | | 石榴 |
drawn:lychee | lychee | fruit | 0.04 | 0.9 | surface | litchi, rambutan | 荔枝 |
drawn:dragon-fruit | dragon fruit | fruit | 0.13 | 1.1 | surface | dragonfruit, pitaya | 火龙果 |
drawn:star-fruit | star fruit | fruit | 0.08 | 1 | surface | starfruit, carambola | 杨桃 |
drawn:fig | fig | fruit | 0.06 | 0.8 | surface | figs | 无花果 |
drawn:papaya | papaya | fruit | 0.2 | 0.85 | surface | | 木瓜 |
drawn:orange-slice | orange slice | fruit | 0.07 | 1 | surface | slice of orange, sliced orange, half an orange, grapefruit, halved orange | 橙子片 西柚 |
drawn:apple-half | apple half | fruit | 0.08 | 1 | surface | sliced apple, halved apple, half an apple, apple slice, slice of apple, cut apple | 半个苹果 |
drawn:walnut-half | walnut half | fruit | 0.04 | 1 | surface | cross-section view of a walnut, halved walnut, cracked walnut, cross section of a walnut, walnut kernel | 核桃仁 |
drawn:walnut | walnut | fruit | 0.04 | 0.88 | surface | pecan, walnuts | 核桃 |
drawn:almond | almond | fruit | 0.02 | 0.56 | surface | almonds | 杏仁 |
drawn:acorn | acorn | fruit | 0.03 | 0.75 | surface | | 橡子 |
drawn:pine-cone | pine cone | plant | 0.1 | 0.7 | ground | pinecone | 松果 |
drawn:watermelon-slice | watermelon slice | fruit | 0.12 | 2 | surface | slice of watermelon, sliced watermelon, piece of watermelon, wedge of watermelon | 西瓜片 一片西瓜 |
`
