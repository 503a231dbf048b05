/** Everyday things for sport, table, road and home. Many prompts consist only of such a thing and a
 *  colour. */
export const everydayRows = `
drawn:baseball-bat | baseball bat | sport | 0.85 | 0.8 | ground | softball bat | 棒球棒 棒球棍 |
drawn:baseball-glove | baseball glove | sport | 0.3 | 1.25 | ground | baseball mitt, catcher's mitt, catchers mitt, mitt | 棒球手套 |
drawn:tennis-racket | tennis racket | sport | 0.7 | 0.7 | ground | racket, racquet, tennis racquet | 网球拍 球拍 |
drawn:skis | skis | sport | 1.7 | 0.68 | ground | ski, pair of skis, snow skis | 滑雪板 雪板 |
drawn:skateboard | skateboard | sport | 0.2 | 3.4 | ground | longboard | 滑板 | > skateboard
drawn:kite | kite | toy | 0.9 | 0.62 | air | | 风筝 | > kite
drawn:diamond-sign | warning sign | structure | 2.2 | 0.68 | ground | diamond sign, caution sign, deer crossing sign, traffic warning sign, yellow traffic sign | 警告标志 警示牌 |
drawn:triangle-sign | yield sign | structure | 2.2 | 0.8 | ground | give way sign, triangular sign, triangle sign | 让行标志 三角标志 |
drawn:round-sign | round sign | structure | 2.2 | 0.62 | ground | circular sign, speed limit sign, traffic sign | 交通标志 |
drawn:telephone-wire | telephone wire | structure | 6 | 2.5 | ground | telephone line, phone line, phone wire, telephone wires, telephone lines, power line, power lines, electric wire, electric wires, electrical wire, utility pole, telephone pole, telephone poles, power cable | 电线 电线杆 |
drawn:stop-sign | stop sign | structure | 2.2 | 0.6 | ground | | 停车标志 停止标志 | > stop-sign
drawn:traffic-light | traffic light | structure | 2.6 | 0.32 | ground | traffic lights, stoplight, traffic signal | 红绿灯 交通灯 信号灯 | > vertical-traffic-light
drawn:necktie | tie | clothing | 0.5 | 0.3 | ground | necktie | 领带 |
drawn:suitcase | suitcase | object | 0.75 | 0.74 | ground | trolley case, baggage, luggage, travel bag, rolling suitcase | 行李箱 旅行箱 行李 | > luggage
drawn:potted-plant | potted plant | plant | 0.6 | 0.92 | ground | houseplant, house plant, pot plant, plant in a pot | 盆栽 盆景植物 | > potted-plant
drawn:television | television | object | 0.6 | 1.65 | ground | tv, tv set, flat screen, television set | 电视 电视机 |
drawn:cell-phone | mobile phone | object | 0.16 | 0.54 | surface | cell phone, phone, smartphone, cellphone, iphone, mobile | 手机 智能手机 | > mobile-phone
drawn:dining-table | dining table | furniture | 0.76 | 2 | ground | dinner table, kitchen table | 餐桌 |
drawn:toilet | toilet | furniture | 0.8 | 0.9 | ground | toilet bowl, lavatory | 马桶 抽水马桶 | > toilet
drawn:fork | fork | object | 0.2 | 0.5 | surface | dinner fork, table fork | 叉子 餐叉 |
drawn:wine-glass | wine glass | object | 0.2 | 0.5 | surface | glass of wine, goblet, wineglass | 红酒杯 葡萄酒杯 高脚杯 | > wine-glass
drawn:broccoli | broccoli | vegetable | 0.16 | 1.1 | surface | | 西兰花 花椰菜 | > broccoli
`
