/** Flags that are known by their colours. */
export const flagRows = `
drawn:flag-usa | American flag | object | 3 | 0.7 | ground | united states flag, us flag, u.s. flag, usa flag, flag of the united states, flag of america, flag of the usa, stars and stripes | 美国国旗 |
drawn:flag-texas | Texas flag | object | 3 | 0.7 | ground | flag of texas, texan flag | 得克萨斯州旗 |
drawn:flag-japan | Japanese flag | object | 3 | 0.7 | ground | japan flag, flag of japan | 日本国旗 |
drawn:flag-china | Chinese flag | object | 3 | 0.7 | ground | china flag, flag of china | 中国国旗 五星红旗 |
drawn:flag-france | French flag | object | 3 | 0.7 | ground | france flag, flag of france, tricolore | 法国国旗 |
drawn:flag-italy | Italian flag | object | 3 | 0.7 | ground | italy flag, flag of italy | 意大利国旗 |
drawn:flag-ireland | Irish flag | object | 3 | 0.7 | ground | ireland flag, flag of ireland | 爱尔兰国旗 |
drawn:flag-belgium | Belgian flag | object | 3 | 0.7 | ground | belgium flag, flag of belgium | 比利时国旗 |
drawn:flag-germany | German flag | object | 3 | 0.7 | ground | germany flag, flag of germany | 德国国旗 |
drawn:flag-netherlands | Dutch flag | object | 3 | 0.7 | ground | netherlands flag, flag of the netherlands | 荷兰国旗 |
drawn:flag-russia | Russian flag | object | 3 | 0.7 | ground | russia flag, flag of russia | 俄罗斯国旗 |
drawn:flag-ukraine | Ukrainian flag | object | 3 | 0.7 | ground | ukraine flag, flag of ukraine | 乌克兰国旗 |
drawn:flag-poland | Polish flag | object | 3 | 0.7 | ground | poland flag, flag of poland | 波兰国旗 |
`
