/** Musical instruments. */
export const instrumentRows = `
drawn:tuba | tuba | instrument | 1 | 0.95 | surface | sousaphone, euphonium, tuba with a bell | 大号 |
drawn:french-horn | french horn | instrument | 0.5 | 1.2 | surface | | 圆号 法国号 |
drawn:clarinet | clarinet | instrument | 0.65 | 0.2 | surface | oboe, bassoon | 单簧管 双簧管 |
drawn:electric-guitar | electric guitar | instrument | 1 | 0.47 | surface | bass guitar, rock guitar, red guitar | 电吉他 |
drawn:ukulele | ukulele | instrument | 0.6 | 0.45 | surface | | 尤克里里 |
drawn:mandolin | mandolin | instrument | 0.7 | 0.48 | surface | lute, sitar, oud | 曼陀林 鲁特琴 |
drawn:banjo | banjo | instrument | 0.95 | 0.44 | surface | | 班卓琴 | > banjo
drawn:harmonica | harmonica | instrument | 0.04 | 2.8 | surface | mouth organ | 口琴 |
drawn:cymbal | cymbal | instrument | 1.1 | 1.2 | ground | cymbals | 钹 镲 |
drawn:xylophone | xylophone | instrument | 0.3 | 2 | surface | glockenspiel, marimba, vibraphone | 木琴 |
drawn:gong | gong | instrument | 1.2 | 1.2 | ground | | 锣 |
drawn:music-triangle | musical triangle | instrument | 0.25 | 1.1 | surface | triangle instrument | 三角铁 |
drawn:tambourine | tambourine | instrument | 0.28 | 1.15 | surface | | 铃鼓 |
drawn:whistle | whistle | object | 0.05 | 1.8 | surface | referee whistle | 哨子 |
drawn:music-box | music box | object | 0.2 | 1.35 | surface | jewelry box, musical box | 音乐盒 首饰盒 |
drawn:metronome | metronome | object | 0.22 | 0.78 | surface | | 节拍器 |
drawn:bongos | bongos | instrument | 0.25 | 1.8 | surface | bongo, bongo drums | 邦戈鼓 |
drawn:snare-drum | snare drum | instrument | 0.35 | 1.65 | surface | | 小军鼓 |
drawn:tuning-fork | tuning fork | object | 0.15 | 0.25 | surface | | 音叉 |
`
