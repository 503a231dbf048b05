/** Famous landmarks, under their common names. */
export const landmarkRows = `
drawn:ferris-wheel | Ferris wheel | landmark | 60 | 0.95 | ground | big wheel, millennium wheel, milllenium wheel, millenium wheel, london eye, observation wheel, giant wheel | 摩天轮 伦敦眼 | > ferris-wheel
drawn:empire-state | Empire State Building | landmark | 380 | 0.5 | ground | empire state, chrysler building | 帝国大厦 |
drawn:sydney-opera-house | Sydney Opera House | landmark | 65 | 2 | ground | sydney opera, opera house in sydney | 悉尼歌剧院 |
drawn:mount-rushmore | Mount Rushmore | landmark | 60 | 2.2 | ground | rushmore, mt rushmore | 拉什莫尔山 总统山 |
drawn:kremlin | Kremlin | landmark | 65 | 1.4 | ground | the kremlin, saint basil's cathedral, st basil's cathedral, saint basils cathedral, red square cathedral | 克里姆林宫 瓦西里大教堂 |
drawn:taj-mahal | Taj Mahal | landmark | 73 | 1.8 | ground | the taj mahal | 泰姬陵 |
drawn:golden-gate | Golden Gate Bridge | landmark | 220 | 3.6 | ground | golden gate, the golden gate bridge | 金门大桥 |
drawn:liberty-statue | Statue of Liberty | landmark | 93 | 0.45 | ground | the statue of liberty, lady liberty | 自由女神像 自由女神 | > statue-of-liberty
drawn:arc-de-triomphe | Arc de Triomphe | landmark | 50 | 1 | ground | triumphal arch | 凯旋门 |
drawn:space-needle | Space Needle | landmark | 184 | 0.55 | ground | seattle space needle | 太空针塔 |
drawn:pisa-tower | Leaning Tower of Pisa | landmark | 56 | 0.45 | ground | leaning tower, tower of pisa | 比萨斜塔 |
drawn:colosseum | Colosseum | landmark | 48 | 2.3 | ground | coliseum, roman colosseum, the colosseum, amphitheater, amphitheatre | 斗兽场 罗马斗兽场 |
drawn:pearl-tower | Oriental Pearl Tower | landmark | 468 | 0.55 | ground | oriental pearl, the oriental pearl | 东方明珠 东方明珠塔 |
drawn:christ-redeemer | Christ the Redeemer | landmark | 38 | 1 | ground | christ the redeemer statue, cristo redentor | 基督像 救世基督像 |
drawn:alamo | Alamo | landmark | 10 | 1.9 | ground | the alamo | 阿拉莫 |
drawn:geyser | geyser | landmark | 40 | 1 | ground | old faithful, geyser old faithful, old faithful geyser | 间歇泉 |
drawn:step-pyramid | step pyramid | landmark | 30 | 2 | ground | mesoamerican pyramid, mayan pyramid, aztec pyramid, mayan temple, aztec temple, chichen itza | 玛雅金字塔 |
`
