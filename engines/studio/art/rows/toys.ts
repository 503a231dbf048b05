/** Toys, games and decorations for feasts. */
export const toyRows = `
drawn:chess-king | chess king | toy | 0.1 | 0.54 | surface | king chess piece, king piece | 国王棋子 |
drawn:chess-queen | chess queen | toy | 0.095 | 0.49 | surface | queen chess piece, queen piece | 皇后棋子 |
drawn:chess-bishop | chess bishop | toy | 0.085 | 0.48 | surface | bishop chess piece | 象棋子 |
drawn:chess-rook | chess rook | toy | 0.075 | 0.64 | surface | rook, rook chess piece, chess castle | 车棋子 |
drawn:chess-knight | chess knight | toy | 0.085 | 0.55 | surface | knight chess piece, chess horse | 马棋子 |
drawn:chess-pawn | chess pawn | toy | 0.07 | 0.53 | surface | pawn, chess piece, chess pieces, pawn chess piece | 兵棋子 棋子 | > chess-pawn
drawn:toy-car | toy car | toy | 0.1 | 2.1 | ground | toy automobile, toy truck | 玩具车 玩具汽车 |
drawn:toy-plane | toy plane | toy | 0.12 | 2.09 | surface | toy airplane, toy aeroplane, model airplane | 玩具飞机 |
drawn:rocking-horse | rocking horse | toy | 0.7 | 1.4 | ground | toy horse, wooden horse, wooden toy horse | 木马 摇摇马 |
drawn:lego-brick | lego brick | toy | 0.06 | 1.8 | surface | lego block, toy brick, lego piece | 乐高积木 |
drawn:puzzle-cube | rubik's cube | toy | 0.06 | 1.2 | surface | rubiks cube, rubik cube, puzzle cube, rubix cube | 魔方 |
drawn:spinning-top | spinning top | toy | 0.1 | 0.95 | surface | toy top, dreidel | 陀螺 |
drawn:domino | domino | toy | 0.05 | 0.52 | surface | dominoes, domino tile | 多米诺骨牌 |
drawn:piggy-bank | piggy bank | object | 0.16 | 1.5 | surface | piggybank | 存钱罐 |
drawn:pinwheel | pinwheel | toy | 0.4 | 0.65 | surface | toy windmill | 纸风车 |
drawn:party-hat | party hat | clothing | 0.22 | 0.75 | surface | birthday hat | 派对帽 |
drawn:ornament | christmas ornament | object | 0.1 | 0.8 | surface | bauble, christmas ball, christmas bauble, ornament | 圣诞球 |
drawn:christmas-stocking | christmas stocking | object | 0.4 | 0.8 | surface | | 圣诞袜 |
drawn:gingerbread-man | gingerbread man | food | 0.14 | 0.92 | surface | gingerbread cookie, gingerbread, gingerbread men | 姜饼人 |
drawn:gingerbread-house | gingerbread house | food | 0.3 | 1.35 | surface | candy house | 姜饼屋 |
drawn:dollhouse | dollhouse | toy | 0.9 | 1.2 | ground | doll house, doll's house, toy house | 玩偶屋 娃娃屋 |
drawn:jack-in-the-box | jack-in-the-box | toy | 0.3 | 0.85 | surface | jack in the box | 玩偶盒 |
drawn:sandbox | sandbox | toy | 0.5 | 2.86 | ground |  | 沙池 |
drawn:arcade-machine | arcade machine | object | 1.8 | 0.62 | ground | arcade game, arcade cabinet, pinball machine | 街机 |
drawn:action-figure | action figure | toy | 0.2 | 0.6 | surface | toy soldier, toy figure, superhero toy | 手办 玩具兵 |
drawn:wreath | wreath | object | 0.5 | 0.95 | wall | christmas wreath | 花环 圣诞花环 |
drawn:game-console | game console | object | 0.12 | 2.75 | surface | video game console, playstation, xbox | 游戏主机 |
drawn:origami-crane | origami crane | toy | 0.12 | 1.4 | surface | paper crane, origami bird, origami | 纸鹤 千纸鹤 |
drawn:yarn | ball of yarn | object | 0.1 | 1.6 | surface | yarn, yarn ball, ball of wool | 毛线球 |
drawn:playing-card | playing card | object | 0.09 | 0.7 | surface | ace of hearts, deck of cards, playing cards, card deck | 扑克牌 |
`
