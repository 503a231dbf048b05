/** Close-ups of eyes and of a hand, posters and a painting, a neon sign, a hanging lamp and a hot
 *  dog. */
export const closeUpRows = `
drawn:human-eye | human eye | object | 0.1 | 1.6 | surface | eyeball, close-up eye | 人眼 眼睛特写 |
drawn:cat-eye | cat eye | object | 0.1 | 1.9 | surface | cat's eye, tiger eye, dragon eye, snake eye, lion eye, crocodile eye, reptile eye, lizard eye | 猫眼 |
drawn:closed-hand | gripping hand | object | 0.2 | 0.75 | ground | closed hand, clenched hand | 握着的手 |
drawn:mona-lisa | Mona Lisa painting | object | 0.77 | 0.8 | wall | painting of the mona lisa, la gioconda | 蒙娜丽莎画 |
drawn:hot-dog | hotdog | food | 0.06 | 2.6 | surface | frankfurter in a bun, hot-dog | 热狗 | > hot-dog
drawn:poster | poster | object | 0.9 | 0.74 | wall | movie poster, film poster, wanted poster | 海报 |
drawn:blank-poster | blank poster | object | 0.9 | 0.74 | wall | empty poster | 空白海报 |
drawn:neon-sign | neon sign | object | 0.9 | 2 | wall | neonsign, neon sign board, neon lights sign, neon billboard | 霓虹招牌 |
drawn:hanging-lamp | hanging lamp | furniture | 0.9 | 0.9 | air | pendant lamp, pendant light, ceiling lamp, hanging light | 垂吊灯 |
`
