/** Shop fronts, and houses whose parts can have their own colours. */
export const frontRows = `
drawn:storefront | storefront | building | 5 | 1.75 | ground | store front, shop front, shopfront, store window, shop window, store facade, store exterior, shop exterior, diner window, cafe window, restaurant window, bar window, bakery window, diner front, restaurant front, coffee shop window | 店面 门面 铺面 橱窗 |
drawn:house | house | building | 7 | 1.1 | ground | | 房子 | < house
drawn:blind-house | windowless house | building | 7 | 1.1 | ground | house without windows, house with no windows | 没有窗户的房子 |
drawn:house-of-two-storeys | two-storey house | building | 9 | 0.9 | ground | two-story house, double-storey house | 两层楼房 |
drawn:house-of-three-storeys | three-storey house | building | 12 | 0.7 | ground | three-story house, triple-storey house | 三层楼房 |
drawn:house-of-four-storeys | four-storey house | building | 15 | 0.55 | ground | four-story house, quadruple-storey house | 四层楼房 |
`
