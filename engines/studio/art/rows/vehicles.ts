/** Vehicles, aircraft and ships: some can be drawn in a single colour, unlike their emoji, and
 *  the others have no emoji. */
export const vehicleRows = `
drawn:airplane | airplane | aircraft | 12 | 2.82 | sky | plane, aeroplane, jet, airliner, aircraft, jet plane, passenger plane, jumbo jet, commercial airplane | 飞机 客机 喷气机 | > airplane
drawn:fighter-jet | fighter jet | aircraft | 5 | 3.5 | sky | jet fighter, warplane, fighter plane, military jet | 战斗机 战机 |
drawn:propeller-plane | small airplane | aircraft | 3 | 2.37 | sky | propeller plane, light aircraft, small plane, single-engine plane, cessna, crop duster | 小飞机 螺旋桨飞机 | > small-airplane
drawn:seaplane | seaplane | aircraft | 3.5 | 2.28 | water-surface | float plane, floatplane, flying boat | 水上飞机 |
drawn:space-shuttle | space shuttle | aircraft | 17 | 2.72 | space | shuttle orbiter | 航天飞机 |
drawn:train | train | vehicle | 4 | 3.04 | ground | passenger train, railway train, locomotive, diesel train, freight locomotive | 火车 列车 | > locomotive
drawn:freight-train | freight train | vehicle | 4 | 3.26 | ground | goods train, cargo train | 货运列车 货物列车 |
drawn:truck | truck | vehicle | 3.2 | 2.24 | ground | lorry, delivery truck, box truck, moving truck, moving van, delivery van | 卡车 货车 送货车 | > delivery-truck
drawn:dump-truck | dump truck | vehicle | 3.4 | 2.63 | ground | tipper truck, tipper | 自卸车 翻斗车 |
drawn:cement-mixer | cement mixer | vehicle | 3.6 | 2.36 | ground | concrete mixer, cement truck, mixer truck | 水泥搅拌车 |
drawn:garbage-truck | garbage truck | vehicle | 3.4 | 2.51 | ground | refuse truck, bin lorry, trash truck | 垃圾车 |
drawn:double-decker-bus | double-decker bus | vehicle | 4.4 | 1.44 | ground | double decker, double decker bus, london bus | 双层巴士 |
drawn:school-bus | school bus | vehicle | 3 | 2.42 | ground | yellow school bus | 校车 |
drawn:forklift | forklift | vehicle | 2.4 | 1.76 | ground | fork-lift truck, forklift truck | 叉车 |
drawn:convertible | convertible | vehicle | 1.3 | 3.46 | ground | roadster, cabriolet, open-top car, convertible car | 敞篷车 |
drawn:car | car | vehicle | 1.5 | 2.48 | ground | | 汽车 | < automobile
drawn:pickup | pickup truck | vehicle | 1.9 | 2.6 | ground | | 皮卡车 | < pickup-truck
drawn:jeep | jeep | vehicle | 1.9 | 2.24 | ground | off-road car, army jeep, land rover | 吉普车 越野车 | > sport-utility-vehicle
drawn:race-car | race car | vehicle | 1.1 | 3.8 | ground | racing car, formula one car, formula 1 car, f1 car, f1, racecar, formula one, indy car | 赛车 方程式赛车 | > racing-car
drawn:unicycle | unicycle | vehicle | 1.4 | 0.62 | ground | | 独轮自行车 |
drawn:tandem-bicycle | tandem bicycle | vehicle | 1.1 | 2.67 | ground | tandem, tandem bike, bicycle built for two | 双人自行车 |
drawn:tricycle | tricycle | vehicle | 0.8 | 1.6 | ground | trike | 三轮车 儿童三轮车 |
drawn:snowmobile | snowmobile | vehicle | 1.3 | 2.49 | ground | skidoo | 雪地摩托 雪地车 |
drawn:horse-trailer | trailer | vehicle | 2.4 | 2.36 | ground | horse trailer, caravan, camper trailer, travel trailer | 拖车 大篷车 |
drawn:sailboat | sailboat | watercraft | 9 | 1.15 | water-surface | boat, sail boat, sailing boat, sloop, catamaran, schooner, dinghy sailboat | 帆船 船 小帆船 白帆 船只 游艇帆船 | > sailboat
drawn:yacht | yacht | watercraft | 9 | 2.87 | water-surface | motor yacht, luxury yacht, super yacht, superyacht, cabin cruiser | 游艇 | 
drawn:tugboat | tugboat | watercraft | 9 | 1.9 | water-surface | tug, trawler, fishing trawler | 拖船 |
drawn:kayak | kayak | watercraft | 0.7 | 3.21 | water-surface | | 皮划艇 |
drawn:cargo-ship | cargo ship | watercraft | 40 | 2.89 | water-surface | container ship, freighter, tanker, oil tanker | 货轮 集装箱船 |
`
