/** Flat geometric figures. They are drawn in the air, without ground below them. */
export const shapeRows = `
drawn:circle | circle | symbol | 0.3 | 1 | air | circular shape | 圆形 圆圈 圆 | > red-circle
drawn:oval | oval | symbol | 0.3 | 1.5 | air | ellipse | 椭圆 椭圆形 |
drawn:square | square | symbol | 0.3 | 1 | air | | 正方形 方形 | > red-square
drawn:rectangle | rectangle | symbol | 0.3 | 1.7 | air | | 长方形 矩形 |
drawn:triangle | triangle | symbol | 0.3 | 1.1 | air | | 三角形 三角 | > red-triangle-pointed-up
drawn:rhombus | rhombus | symbol | 0.3 | 0.76 | air | diamond shape | 菱形 |
drawn:trapezoid | trapezoid | symbol | 0.3 | 1.6 | air | | 梯形 |
drawn:parallelogram | parallelogram | symbol | 0.3 | 1.7 | air | | 平行四边形 |
drawn:pentagon | pentagon | symbol | 0.3 | 1 | air | | 五边形 |
drawn:hexagon | hexagon | symbol | 0.3 | 0.9 | air | | 六边形 |
drawn:octagon | octagon | symbol | 0.3 | 1 | air | | 八边形 |
drawn:concentric-circles | concentric circles | symbol | 0.3 | 1 | air | concentric rings, circular logo, round logo, circular emblem | 同心圆 |
drawn:congruent-triangles | congruent triangles | symbol | 0.2 | 2.3 | air | | 全等三角形 |
drawn:swirl | swirl | symbol | 0.3 | 1 | air | spiral, whorl | 螺旋 漩涡形 |
drawn:dashed-line | dashed line | symbol | 0.03 | 18 | air | dotted line, broken line | 虚线 |
drawn:straight-line | straight line | symbol | 0.03 | 21 | air | line segment | 直线 |
drawn:zigzag-line | zigzag line | symbol | 0.1 | 5 | air | zigzag, zig zag line, jagged line | 锯齿线 折线 |
drawn:yin-yang | yin-yang symbol | symbol | 0.3 | 1 | air | yin yang, yin-yang, yin yang symbol, taijitu | 太极 太极图 阴阳 | > yin-yang
`
