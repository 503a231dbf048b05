/** Things in a house. */
export const homeRows = `
drawn:trash-can | trash can | object | 1 | 0.8 | ground | trash bin, garbage can, garbage bin, rubbish bin, dustbin, waste bin, bin, wheelie bin | 垃圾桶 |
drawn:recycling-bin | recycling bin | object | 1 | 0.8 | ground | recycle bin, recycling container | 回收箱 |
drawn:compost-bin | compost bin | object | 1 | 0.8 | ground | compost, composter | 堆肥箱 |
drawn:dumpster | dumpster | object | 1.4 | 1.8 | ground | skip bin | 大垃圾箱 |
drawn:garbage-bag | garbage bag | object | 0.7 | 1 | ground | trash bag, bin bag, bag of garbage | 垃圾袋 |
drawn:ceiling-fan | ceiling fan | furniture | 0.6 | 4.05 | air |  | 吊扇 |
drawn:fan | electric fan | object | 0.5 | 0.7 | surface | fan, desk fan, table fan | 电风扇 风扇 |
drawn:candelabra | candelabra | object | 0.5 | 0.8 | surface | candelabrum, menorah | 枝状烛台 |
drawn:flower-pot | flower pot | object | 0.3 | 0.85 | surface | flowerpot, clay pot, plant pot, empty pot, terracotta pot | 陶土花盆 |
drawn:fish-tank | fish tank | object | 0.5 | 1.94 | surface | aquarium tank, fishtank, terrarium | 玻璃鱼缸 |
drawn:vacuum-cleaner | vacuum cleaner | object | 1.1 | 0.9 | ground | vacuum, hoover | 吸尘器 |
drawn:iron | clothes iron | object | 0.16 | 1.8 | surface | iron, flat iron, steam iron | 熨斗 |
drawn:ironing-board | ironing board | furniture | 0.9 | 2.4 | ground | | 熨衣板 |
drawn:mop | mop | tool | 1.3 | 0.35 | ground | | 拖把 |
drawn:doorknob | doorknob | object | 0.2 | 0.6 | wall | door knob, door handle | 门把手 |
drawn:door-knocker | door knocker | object | 0.25 | 0.8 | wall | doorknocker | 门环 |
drawn:light-switch | light switch | object | 0.12 | 0.7 | wall | | 电灯开关 |
drawn:outlet | power outlet | object | 0.12 | 0.7 | wall | electrical outlet, wall socket, electric outlet | 插座 |
drawn:grandfather-clock | grandfather clock | furniture | 2 | 0.4 | ground | longcase clock, pendulum clock | 落地钟 |
drawn:dresser | dresser | furniture | 1 | 1.3 | ground | chest of drawers, chest with drawers, bureau, antique chest of drawers, drawer, drawers | 斗柜 五斗柜 |
drawn:nightstand | nightstand | furniture | 0.6 | 0.85 | ground | bedside table, night stand, end table, side table | 床边柜 |
drawn:shoe-rack | shoe rack | furniture | 0.7 | 1.8 | ground | shoe shelf, wooden rack | 鞋柜 |
drawn:coat-rack | coat rack | furniture | 1.8 | 0.35 | ground | hat stand, coat stand, hat rack | 衣帽架 |
drawn:hanger | coat hanger | object | 0.25 | 1.9 | surface | hanger, clothes hanger | 衣架 |
drawn:ottoman | ottoman | furniture | 0.45 | 1.5 | ground | footrest, pouf | 脚凳 |
drawn:beanbag | beanbag | furniture | 0.8 | 1.85 | ground | bean bag, bean bag chair | 懒人沙发 |
drawn:fire-pit | fire pit | object | 0.8 | 1.8 | ground | firepit | 火坑 |
drawn:rocking-chair | rocking chair | furniture | 1.1 | 1.1 | ground | rocker chair | 摇摇椅 |
drawn:crib | crib | furniture | 1 | 1.6 | ground | baby crib, cradle, playpen | 婴儿床 摇篮 |
drawn:floor-lamp | floor lamp | furniture | 1.6 | 0.32 | ground | standing lamp | 立灯 |
drawn:lantern | lantern | object | 0.35 | 0.55 | surface | oil lamp, old lantern, gas lantern, camping lantern | 提灯 油灯 |
drawn:torch | torch | object | 0.6 | 0.36 | surface | burning torch, flaming torch | 火炬 火把 |
drawn:beach-towel | beach towel | object | 0.5 | 3.2 | ground | towel spread out, picnic towel, spread-out towel | 沙滩巾 |
drawn:towel | towel | object | 0.9 | 1.2 | wall | bath towel, hand towel, dish towel | 毛巾 浴巾 |
drawn:blanket | folded blanket | furniture | 0.25 | 1.7 | ground | quilt, duvet, comforter | 毛毯 棉被 |
drawn:coffee-table | coffee table | furniture | 0.45 | 2.2 | ground | low table | 茶几 |
drawn:ping-pong-table | ping pong table | furniture | 0.8 | 2.4 | ground | table tennis table | 乒乓球桌 |
drawn:pool-table | pool table | furniture | 0.85 | 2.4 | ground | billiard table, snooker table | 台球桌 |
drawn:pocket-watch | pocket watch | object | 0.1 | 1.1 | surface | | 怀表 |
drawn:wall-clock | wall clock | object | 0.35 | 1 | wall | round clock | 挂钟 |
drawn:clock-face | clock without hands | object | 0.35 | 1 | surface | clock with no hands, clock face, handless clock | 无指针的钟 |
drawn:bust | bust | structure | 0.55 | 0.9 | surface | stone bust, marble bust, bust statue | 半身像 |
drawn:mannequin | mannequin | object | 1.7 | 0.4 | ground | dress form, tailor's dummy, dummy | 人体模特 |
`
