/** Dishes, sweets and serving things. */
export const dishRows = `
drawn:roast-turkey | roast turkey | dish | 0.25 | 2.4 | surface | roasted turkey, thanksgiving turkey, turkey dinner, roast chicken, roasted chicken, rotisserie chicken, roast duck, baked turkey | 烤火鸡 烤鸡 |
drawn:nachos | nachos | dish | 0.15 | 2 | surface | plate of nachos | 玉米片 |
drawn:tortilla-chip | tortilla chip | food | 0.06 | 1.2 | surface | tortilla chips, corn chip, dorito, doritos | 三角玉米片 |
drawn:onion-rings | onion rings | dish | 0.14 | 2 | surface | onion ring, calamari, calamari rings | 洋葱圈 |
drawn:nuggets | chicken nuggets | dish | 0.1 | 2.74 | surface | chicken nugget, nuggets, tater tots | 鸡块 |
drawn:fried-egg | fried egg | food | 0.1 | 2 | surface | sunny side up egg, sunny side up eggs | 煎蛋 |
drawn:mac-and-cheese | macaroni and cheese | dish | 0.12 | 1.7 | surface | mac and cheese, macaroni | 奶酪通心粉 |
drawn:fried-rice | fried rice | dish | 0.12 | 1.7 | surface | bibimbap, rice bowl | 炒饭 |
drawn:tomato-soup | tomato soup | dish | 0.12 | 1.7 | surface | bowl of tomato soup, pumpkin soup, bisque, gazpacho, borscht | 番茄汤 |
drawn:cereal | cereal | food | 0.12 | 1.7 | surface | bowl of cereal, breakfast cereal, cheerios | 麦片 |
drawn:chili | chili con carne | dish | 0.12 | 1.7 | surface | bowl of chili, baked beans, gumbo | 辣豆 |
drawn:guacamole | guacamole | food | 0.12 | 1.7 | surface | bowl of guacamole, pesto | 牛油果酱 |
drawn:salsa | salsa | food | 0.12 | 1.7 | surface | bowl of salsa, pico de gallo | 莎莎酱 |
drawn:macaron | macaron | dessert | 0.05 | 1.3 | surface | macarons, macaroon, macaroons | 马卡龙 |
drawn:gummy-bear | gummy bear | dessert | 0.03 | 0.75 | surface | gummy bears, gummi bear | 小熊软糖 |
drawn:smore | s'more | dessert | 0.07 | 1.4 | surface | s'mores, smores, smore | 棉花糖夹心 |
drawn:cheese-wheel | cheese wheel | food | 0.15 | 1.9 | surface | wheel of cheese, brie, camembert, gouda | 奶酪轮 |
drawn:sushi-roll | sushi roll | dish | 0.05 | 1.9 | surface | maki, sushi rolls, california roll, maki roll | 寿司卷 |
drawn:spring-roll | spring roll | dish | 0.1 | 2.74 | surface | spring rolls, egg roll, egg rolls, taquito, taquitos | 春卷 |
drawn:fish-and-chips | fish and chips | dish | 0.12 | 2.81 | surface | fried fish | 炸鱼薯条 |
drawn:bao | bao bun | food | 0.08 | 1.4 | surface | bao, steamed bun, baozi | 包子 |
drawn:corn-dog | corn dog | food | 0.2 | 0.28 | surface | corndog | 玉米热狗 |
drawn:pork-chop | pork chop | dish | 0.1 | 2.4 | surface | lamb chop, grilled steak, steak dinner, pork chops | 猪排 |
drawn:churro | churro | dessert | 0.25 | 1.02 | surface | churros | 吉事果 油条 |
drawn:avocado-toast | avocado toast | food | 0.12 | 1.85 | surface | slices of avocado on toast | 牛油果吐司 |
drawn:buttered-toast | toast | food | 0.12 | 1.55 | surface | buttered toast, slice of toast, slice of bread, piece of toast, french toast, bread slice | 烤面包片 吐司 |
drawn:jello | jello | dessert | 0.12 | 1.6 | surface | jelly, gelatin, jell-o, jelly dessert | 果冻 |
drawn:popsicle | popsicle | dessert | 0.16 | 0.5 | surface | ice lolly, ice pop, creamsicle | 冰棍 冰棒 |
drawn:sundae | sundae | dessert | 0.2 | 0.85 | surface | ice cream sundae, banana split, hot fudge sundae, parfait | 圣代 |
drawn:milkshake | milkshake | drink | 0.22 | 0.6 | surface | milk shake, smoothie, frappe, frappuccino | 奶昔 |
drawn:bare-cake | iced cake | dessert | 0.2 | 2 | surface | frosted cake, plain cake, candleless cake | 奶油蛋糕 |
drawn:cake-candle | cake candle | object | 0.13 | 0.16 | surface | birthday candle | 生日蜡烛 |
drawn:wedding-cake | wedding cake | dessert | 0.6 | 1.2 | surface | tiered cake, three tier cake, layer cake | 婚礼蛋糕 |
drawn:pie-slice | slice of pie | dessert | 0.1 | 1.7 | surface | piece of pie, slice of apple pie, slice of pumpkin pie, pie slice | 一块派 |
drawn:fruit-tart | tart | dessert | 0.08 | 2 | surface | fruit tart, fruit pie, quiche | 水果挞 蛋挞 |
drawn:honeycomb | honeycomb | food | 0.15 | 1.2 | surface | | 蜂巢蜜 |
drawn:cheese-board | cheese board | dish | 0.15 | 3.3 | surface | charcuterie board, charcuterie, cheese platter | 奶酪拼盘 |
drawn:tofu | tofu | food | 0.1 | 1.7 | surface | bowl of tofu | 豆腐 |
drawn:latte-cup | latte | drink | 0.1 | 1.7 | surface | caffe latte, flat white, cappuccino | 拿铁 卡布奇诺 |
`
