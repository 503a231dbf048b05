/** Solids, flat shapes and plain pieces. */
export const solidRows = `
drawn:plain-cross | cross | symbol | 0.4 | 1 | surface | plus sign, red cross | 十字 |
drawn:pedestal | pedestal | structure | 1.1 | 0.9 | ground | plinth, stone pedestal | 基座 底座 |
drawn:column | column | structure | 3 | 0.34 | ground | pillar, stone column, marble column | 柱子 石柱 圆柱子 |
drawn:post | post | object | 1.3 | 0.18 | ground | wooden post, pole, fence post | 木桩 柱 杆子 |
drawn:plank | plank | object | 0.1 | 6 | ground | board, wooden board, wooden plank | 木板 |
drawn:clay-brick | brick | object | 0.09 | 2 | ground | | 砖块 |
drawn:tile | tile | object | 0.3 | 1 | surface | ceramic tile | 瓷砖 |
drawn:open-box | open box | object | 0.4 | 1.8 | ground | cardboard box, carton box, empty box | 纸箱 |
`
