/** Unusual vehicles, large fixtures such as a bathtub or an escalator, some dishes and plants, and
 *  diagrams. */
export const conveyanceRows = `
drawn:car-from-above | car from overhead | vehicle | 4.4 | 0.56 | ground | top of a car | 俯视的汽车 |
drawn:limousine | limousine | vehicle | 1.5 | 4.2 | ground | limo, stretch limousine | 加长轿车 |
drawn:hearse | hearse | vehicle | 1.6 | 2.9 | ground | | 灵车 |
drawn:go-kart | go-kart | vehicle | 1 | 2.4 | ground | go kart, kart | 卡丁车 |
drawn:golf-cart | golf cart | vehicle | 1.8 | 1.4 | ground | golf buggy | 高尔夫球车 |
drawn:camper-van | camper van | vehicle | 2.8 | 2.7 | ground | campervan, motorhome, motor home, rv, recreational vehicle, camper | 房车 |
drawn:penny-farthing | penny-farthing | vehicle | 1.6 | 1.2 | ground | penny farthing, high wheel bicycle | 大小轮自行车 |
drawn:stroller | stroller | vehicle | 1 | 1.1 | ground | baby carriage, pram, baby stroller, pushchair | 婴儿车 |
drawn:segway | segway | vehicle | 1.3 | 0.55 | ground | | 平衡车 |
drawn:hovercraft | hovercraft | vehicle | 6 | 2.6 | ground | | 气垫船 |
drawn:hang-glider | hang glider | aircraft | 3 | 3.2 | sky | hang-glider | 悬挂滑翔机 |
drawn:aircraft-carrier | aircraft carrier | watercraft | 60 | 3.3 | water-surface | | 航空母舰 航母 |
drawn:battleship | battleship | watercraft | 40 | 3.2 | water-surface | warship, destroyer, navy ship | 战列舰 军舰 |
drawn:houseboat | houseboat | watercraft | 6 | 2.2 | water-surface | house boat | 船屋 |
drawn:tow-truck | tow truck | vehicle | 2.6 | 2.1 | ground | wrecker, breakdown truck | 拖吊车 |
drawn:bathtub | bathtub | furniture | 0.75 | 1.8 | ground | bath tub, tub, clawfoot tub | 浴缸 澡盆 |
drawn:bunk-bed | bunk bed | furniture | 1.8 | 1.78 | ground | bunk beds | 双层床 上下铺 |
drawn:escalator | escalator | structure | 4 | 1.9 | ground | moving stairs | 自动扶梯 |
drawn:jukebox | jukebox | object | 1.5 | 0.72 | ground | | 点唱机 |
drawn:cuckoo-clock | cuckoo clock | object | 0.4 | 0.64 | wall | | 布谷鸟钟 |
drawn:honey-dipper | honey dipper | tool | 0.16 | 0.26 | surface | dipper | 蜂蜜棒 |
drawn:cinnamon-roll | cinnamon roll | dessert | 0.08 | 1.6 | surface | cinnamon bun | 肉桂卷 |
drawn:dip-bowl | hummus | dish | 0.09 | 1.9 | surface | dip | 鹰嘴豆泥 |
drawn:cabbage-dish | kimchi | dish | 0.08 | 2.9 | surface | | 泡菜 |
drawn:scrambled-eggs | scrambled eggs | dish | 0.06 | 3 | surface | scrambled egg | 炒蛋 |
drawn:venus-flytrap | venus flytrap | plant | 0.3 | 1 | surface | venus fly trap, carnivorous plant | 捕蝇草 |
drawn:topiary | topiary | plant | 1.4 | 0.44 | ground | topiary tree | 造型树 |
drawn:tapestry | tapestry | object | 1.2 | 1.56 | wall | | 挂毯 |
drawn:solar-system | solar system | symbol | 0.6 | 2 | surface | planetary chart, planetary model | 太阳系图 |
drawn:water-cycle | water cycle | symbol | 0.6 | 1.9 | surface | the water cycle, hydrologic cycle | 水循环 |
drawn:food-pyramid | food pyramid | symbol | 0.6 | 1.24 | surface | food chain pyramid | 食物金字塔 |
drawn:constellation | constellation | symbol | 0.6 | 1.73 | surface | star constellations, star map, star chart | 星座图 |
drawn:spiral-staircase | spiral staircase | structure | 4 | 0.6 | ground | spiral stairs, winding staircase | 螺旋楼梯 |
drawn:sun-disc | sun disc | celestial | 1400000000 | 1 | sky | sundisc, solar disc | 日轮 |
drawn:gas-station | gas station | building | 5 | 2.9 | ground | petrol station, filling station, service station | 加油站 |
drawn:pizza | pizza | dish | 0.12 | 2.2 | surface | whole pizza, pizza pie | 整张披萨 | > pizza
drawn:dam | dam | structure | 60 | 3.2 | ground | hydroelectric dam | 大坝 水坝 |
`
