/** Fronts of shops. */
export const frontRows = `
drawn:storefront | storefront | building | 5 | 1.75 | ground | store front, shop front, shopfront, store window, shop window, store facade, store exterior, shop exterior | 店面 门面 铺面 橱窗 |
`
