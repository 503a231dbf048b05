/** Tools, office things, and clothes without a person in them. */
export const oddmentRows = `
drawn:sticky-note | sticky note | object | 0.08 | 1 | surface | post-it note, post-it, post it, post it note, yellow note | 便利贴 便签 |
drawn:power-drill | power drill | tool | 0.25 | 1.85 | surface | drill, electric drill, cordless drill | 电钻 |
drawn:rake | rake | tool | 1.5 | 0.48 | ground | garden rake, hoe | 耙子 |
drawn:chainsaw | chainsaw | tool | 0.35 | 2.9 | ground | chain saw | 电锯 链锯 |
drawn:skateboard-deck | skateboard deck | sport | 0.8 | 0.37 | ground | | 滑板板面 |
drawn:latte-top | latte art | drink | 0.12 | 1.28 | surface | cup of coffee with latte art, coffee with latte art, coffee art, cappuccino art | 拉花咖啡 |
drawn:button | button | object | 0.02 | 1 | surface | shirt button, coat button | 纽扣 扣子 |
drawn:contrail | contrail | weather | 20 | 3.6 | air | chemtrail, vapor trail, vapour trail, condensation trail, jet trail, chem trail | 飞机云 凝结尾迹 |
drawn:anvil | anvil | tool | 0.4 | 1.8 | ground | | 铁砧 |
drawn:lawn-mower | lawn mower | tool | 0.9 | 1.6 | ground | lawnmower | 割草机 |
drawn:paint-can | paint can | object | 0.25 | 0.9 | ground | paint bucket, can of paint, bucket of paint | 油漆桶 |
drawn:stapler | stapler | object | 0.07 | 1.9 | surface | | 订书机 |
drawn:calculator | calculator | object | 0.15 | 0.72 | surface | | 计算器 |
drawn:tape-roll | roll of tape | object | 0.1 | 1.45 | surface | duct tape, tape roll, masking tape, scotch tape, adhesive tape | 胶带 |
drawn:knit-sweater | sweater | clothing | 0.7 | 1.3 | surface | sweatshirt, jumper, pullover, cardigan, wool sweater, knit sweater | 毛衣 卫衣 |
drawn:plain-hoodie | hoodie | clothing | 0.7 | 1.25 | surface | hooded sweatshirt | 连帽衫 |
drawn:cowboy-hat | cowboy hat | clothing | 0.16 | 2.4 | surface | stetson, western hat | 牛仔帽 |
drawn:wool-beanie | beanie | clothing | 0.22 | 1.2 | surface | knit cap, knit hat, winter hat, wool hat, woolly hat, bobble hat | 毛线帽 |
drawn:bow-tie | bow tie | clothing | 0.07 | 2.1 | surface | bowtie | 领结 |
drawn:leather-belt | belt | clothing | 0.12 | 2.2 | surface | leather belt | 皮带 腰带 |
drawn:ballet-tutu | tutu | clothing | 0.4 | 2.2 | surface | ballet skirt, ballet tutu | 芭蕾舞裙 |
drawn:phone-case | phone case | object | 0.16 | 0.52 | surface | iphone case, cell phone case, smartphone case | 手机壳 |
`
