/** Geometric solids, and simple pieces of material. */
export const solidRows = `
drawn:sphere | sphere | object | 0.4 | 1 | surface | orb, round ball, glass sphere, plain ball | 球体 圆球 |
drawn:cube | cube | object | 0.4 | 1.1 | surface | block, square block, wooden block, wooden cube | 立方体 方块 正方体 |
drawn:cuboid | cuboid | object | 0.35 | 2 | surface | rectangular block, rectangular prism, prism, slab | 长方体 |
drawn:plain-pyramid | triangular pyramid | object | 0.4 | 1.25 | surface | square pyramid, tetrahedron, small pyramid, solid pyramid, toy pyramid, wooden pyramid, plastic pyramid, glass pyramid | 四面体 棱锥 四棱锥 |
drawn:cylinder | cylinder | object | 0.4 | 0.72 | surface | tube | 圆柱体 圆柱 |
drawn:cone | cone | object | 0.4 | 0.85 | surface | | 圆锥 圆锥体 |
drawn:torus | torus | object | 0.25 | 1.6 | surface | | 圆环 |
drawn:plain-cross | cross | symbol | 0.4 | 1 | surface | plus sign, red cross | 十字 |
drawn:pedestal | pedestal | structure | 1.1 | 0.9 | ground | plinth, stone pedestal | 基座 底座 |
drawn:column | column | structure | 3 | 0.34 | ground | pillar, stone column, marble column | 柱子 石柱 圆柱子 |
drawn:post | post | object | 1.3 | 0.18 | ground | wooden post, fence post, wood post, stake | 木桩 柱 杆子 柱桩 |
drawn:plank | plank | object | 0.1 | 6 | ground | board, wooden plank | 木板 |
drawn:clay-brick | brick | object | 0.09 | 2 | ground | | 砖块 |
drawn:tile | tile | object | 0.3 | 1 | surface | ceramic tile | 瓷砖 |
drawn:open-box | open box | object | 0.4 | 1.8 | ground | cardboard box, carton box, empty box | 纸箱 |
`
