/** Balls and sports gear. */
export const sportsRows = `
drawn:plain-ball | ball | sport | 0.22 | 1 | ground | rubber ball, toy ball, bouncy ball, kickball | 球 皮球 |
drawn:tennis-ball | tennis ball | sport | 0.07 | 1 | ground | | 网球 |
drawn:golf-ball | golf ball | sport | 0.045 | 1 | ground | | 高尔夫球 |
drawn:ping-pong-ball | ping pong ball | sport | 0.04 | 1 | surface | table tennis ball | 乒乓球 |
drawn:cue-ball | cue ball | sport | 0.06 | 1 | surface | | 母球 |
drawn:marble | marble ball | toy | 0.03 | 1 | surface | glass marble, marbles | 弹珠 玻璃珠 |
drawn:bowling-ball | bowling ball | sport | 0.22 | 1 | ground | | 保龄球 |
drawn:bowling-pin | bowling pin | sport | 0.38 | 0.34 | ground | bowling pins, skittle | 保龄球瓶 |
drawn:badminton-racket | badminton racket | sport | 0.67 | 0.36 | ground | badminton racquet | 羽毛球拍 |
drawn:shuttlecock | shuttlecock | sport | 0.08 | 0.9 | ground | birdie | 羽毛球 毽子 |
drawn:ping-pong-paddle | ping pong paddle | sport | 0.26 | 0.68 | surface | table tennis paddle, table tennis bat, ping pong racket | 乒乓球拍 |
drawn:golf-club | golf club | sport | 1 | 0.45 | ground | | 高尔夫球杆 |
drawn:hockey-stick | hockey stick | sport | 1.3 | 0.85 | ground | | 曲棍球棍 冰球杆 |
drawn:puck | hockey puck | sport | 0.03 | 1.95 | ground | puck | 冰球 |
drawn:kettlebell | kettlebell | sport | 0.3 | 0.85 | ground | | 壶铃 |
drawn:yoga-mat | yoga mat | sport | 0.16 | 3.3 | ground | exercise mat | 瑜伽垫 |
drawn:hula-hoop | hula hoop | toy | 0.9 | 1 | ground | hoop | 呼啦圈 |
drawn:dart | dart | sport | 0.03 | 2 | surface | | 飞镖 |
drawn:arrow | wooden arrow | sport | 0.12 | 3.8 | surface | archery arrow | 箭 |
drawn:dartboard | dartboard | sport | 0.45 | 1 | wall | dart board | 飞镖盘 |
drawn:basketball-hoop | basketball hoop | sport | 3 | 0.52 | ground | basketball net, basketball rim | 篮球架 篮筐 |
drawn:oar | oar | sport | 1.8 | 0.12 | ground | boat paddle, canoe paddle, wooden oar | 船桨 桨 |
drawn:punching-bag | punching bag | sport | 1.2 | 0.28 | ground | boxing bag | 沙袋 |
drawn:treadmill | treadmill | sport | 1.4 | 1.2 | ground | | 跑步机 |
drawn:jump-rope | jump rope | toy | 0.5 | 1.6 | surface | skipping rope, jumping rope | 跳绳 |
drawn:pool-cue | pool cue | sport | 1.4 | 0.08 | ground | cue stick, billiard cue | 台球杆 |
drawn:scoreboard | scoreboard | structure | 3 | 1.8 | ground | | 记分牌 |
`
