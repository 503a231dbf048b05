/** Things in a kitchen and on a table. */
export const kitchenRows = `
drawn:pouring-tea | poured tea | object | 0.3 | 0.95 | surface | | 倒茶 |
drawn:pouring-hot-water | poured hot water | object | 0.3 | 0.95 | surface | | 倒热水 |
drawn:pouring-coffee | poured coffee | object | 0.3 | 0.95 | surface | | 倒咖啡 |
drawn:pouring-water | poured water | object | 0.3 | 0.95 | surface | | 倒水 |
drawn:pouring-milk | poured milk | object | 0.3 | 0.95 | surface | | 倒牛奶 |
drawn:pouring-juice | poured juice | object | 0.3 | 0.95 | surface | | 倒果汁 |
drawn:pouring-wine | poured wine | object | 0.3 | 0.95 | surface | | 倒葡萄酒 |
drawn:pouring-beer | poured beer | object | 0.3 | 0.95 | surface | | 倒啤酒 |
drawn:pitcher | jug | object | 0.26 | 0.85 | surface | pitcher, glass pitcher, water pitcher, empty pitcher, glass jug, carafe, decanter | 水罐 玻璃壶 |
drawn:juice-pitcher | pitcher of juice | object | 0.26 | 0.85 | surface | pitcher of orange juice, juice pitcher, pitcher of lemonade, jug of juice, jug of orange juice | 一壶果汁 |
drawn:juice | juice | drink | 0.15 | 0.55 | surface | orange juice, fruit juice, glass of juice, glass of orange juice, apple juice | 果汁 橙汁 苹果汁 |
drawn:iced-drink | iced tea | drink | 0.18 | 0.6 | surface | ice tea, iced coffee, long island ice tea, long island iced tea, lemonade, cola, glass of cola | 冰茶 柠檬水 可乐 冰咖啡 |
drawn:red-cocktail | bloody mary | drink | 0.18 | 0.6 | surface | bloody mary cocktail, bloody caesar | 血腥玛丽 |
drawn:old-fashioned | old-fashioned cocktail | drink | 0.1 | 1 | surface | old fashioned, negroni | 古典鸡尾酒 |
drawn:margarita | margarita | drink | 0.16 | 0.95 | surface | daiquiri | 玛格丽特酒 |
drawn:soda-can | soda can | drink | 0.12 | 0.52 | surface | can of soda, can of cola, can of coke, can of beer, beer can, soda, coke, soft drink, aluminum can | 易拉罐 汽水 |
drawn:wine-bottle | wine bottle | drink | 0.32 | 0.35 | surface | bottle of wine, bottle of red wine, bottle of white wine, red wine bottle | 红酒瓶 葡萄酒瓶 一瓶红酒 |
drawn:beer-bottle | beer bottle | drink | 0.26 | 0.32 | surface | bottle of beer, bottle of light beer | 啤酒瓶 一瓶啤酒 |
drawn:soda-bottle | soda bottle | drink | 0.26 | 0.32 | surface | bottle of cola, bottle of coke, cola bottle, bottle of soda | 可乐瓶 |
drawn:water-bottle | water bottle | drink | 0.26 | 0.32 | surface | bottle of water, plastic bottle | 水瓶 矿泉水瓶 |
drawn:ketchup | ketchup | food | 0.22 | 0.32 | surface | ketchup bottle, bottle of ketchup, tomato sauce, tomato ketchup | 番茄酱 |
drawn:mustard | mustard | food | 0.22 | 0.32 | surface | mustard bottle, bottle of mustard | 芥末酱 |
drawn:sauce-bottle | soy sauce | food | 0.22 | 0.32 | surface | sauce bottle, hot sauce, bottle of sauce, bottle of soy sauce, maple syrup, syrup, vinegar | 酱油 枫糖浆 醋 |
drawn:oil-bottle | olive oil | food | 0.28 | 0.32 | surface | bottle of oil, bottle of olive oil, oil bottle, cooking oil | 橄榄油 食用油 |
drawn:jam-jar | jam | food | 0.12 | 0.7 | surface | jar of jam, jam jar, strawberry jam, marmalade, preserves | 果酱 |
drawn:peanut-butter | peanut butter | food | 0.12 | 0.7 | surface | jar of peanut butter, peanut butter jar, nutella | 花生酱 |
drawn:cookie-jar | cookie jar | object | 0.22 | 0.7 | surface | jar of cookies, biscuit jar | 饼干罐 |
drawn:kettle | kettle | object | 0.24 | 1.2 | surface | tea kettle, electric kettle, water kettle | 水壶 烧水壶 |
drawn:frying-pan | frying pan | object | 0.12 | 2.6 | surface | pan, skillet, cast iron pan | 平底锅 煎锅 |
drawn:whisk | whisk | tool | 0.28 | 0.34 | surface | egg beater | 打蛋器 |
drawn:spatula | spatula | tool | 0.32 | 0.3 | surface | turner | 锅铲 |
drawn:spoon | spoon | tool | 0.18 | 0.27 | surface | teaspoon, tablespoon, silver spoon, soup spoon | 勺子 汤匙 | > spoon
drawn:ladle | ladle | tool | 0.3 | 0.5 | surface | soup ladle | 汤勺 |
drawn:rolling-pin | rolling pin | tool | 0.08 | 3.8 | surface | | 擀面杖 |
drawn:cutting-board | cutting board | object | 0.12 | 2 | surface | chopping board, bread board, wooden board | 砧板 菜板 |
drawn:grater | grater | tool | 0.24 | 0.72 | surface | cheese grater | 刨丝器 |
drawn:colander | colander | object | 0.16 | 2 | surface | strainer, sieve | 漏勺 沥水篮 |
drawn:blender | blender | object | 0.4 | 0.65 | surface | food processor, juicer | 搅拌机 榨汁机 |
drawn:mixer | mixer | object | 0.36 | 1.15 | surface | stand mixer, kitchen mixer | 厨师机 |
drawn:coffee-machine | espresso machine | object | 0.4 | 1 | surface | coffee machine, coffee maker, coffeemaker | 咖啡机 |
drawn:oven-mitt | oven mitt | object | 0.3 | 0.8 | surface | oven glove, pot holder | 隔热手套 |
drawn:corkscrew | corkscrew | tool | 0.16 | 0.8 | surface | bottle opener | 开瓶器 |
drawn:egg-carton | egg carton | object | 0.12 | 1.9 | surface | carton of eggs, box of eggs | 鸡蛋盒 |
drawn:napkin | napkin | object | 0.07 | 1.85 | surface | paper napkin, cloth napkin, handkerchief, serviette, tissue | 餐巾 手帕 纸巾 |
drawn:tablecloth | tablecloth | furniture | 0.5 | 2.2 | surface | table cloth | 桌布 |
drawn:thermos | thermos | object | 0.28 | 0.45 | surface | flask of coffee, vacuum flask, travel mug | 保温杯 暖水瓶 |
drawn:rice-cooker | rice cooker | object | 0.25 | 1.25 | surface | slow cooker, pressure cooker, instant pot, air fryer | 电饭煲 |
drawn:wooden-spoon | wooden spoon | tool | 0.3 | 0.26 | surface | | 木勺 |
`
