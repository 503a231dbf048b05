/** Things typical of a people, an era or a craft, and sheets with maps, charts and codes. */
export const heritageRows = `
drawn:totem-pole | totem pole | landmark | 6 | 0.84 | ground | totem | 图腾柱 |
drawn:longship | longship | watercraft | 9 | 1.95 | water-surface | viking longship, viking ship, viking boat, drakkar | 维京船 维京长船 |
drawn:kabuto | samurai helmet | object | 0.35 | 0.95 | surface | kabuto | 武士头盔 |
drawn:samurai-armour | samurai armor | object | 1.6 | 0.55 | ground | samurai armour, suit of samurai armor | 武士盔甲 |
drawn:plate-armour | suit of armor | object | 1.8 | 0.42 | ground | suit of armour, knight armor, knight armour, plate armor | 骑士盔甲 |
drawn:viking-helmet | viking helmet | object | 0.3 | 1.6 | surface | horned helmet | 维京头盔 |
drawn:sombrero | sombrero | clothing | 0.25 | 2.2 | surface | mexican hat | 墨西哥草帽 |
drawn:dreamcatcher | dreamcatcher | object | 0.5 | 0.6 | wall | dream catcher | 捕梦网 |
drawn:trebuchet | trebuchet | object | 6 | 1.5 | ground | catapult, siege engine | 投石机 |
drawn:didgeridoo | didgeridoo | instrument | 0.3 | 5.2 | surface | | 迪吉里杜管 |
drawn:lucky-cat | lucky cat | object | 0.25 | 0.8 | surface | maneki-neko, maneki neko, beckoning cat | 招财猫 |
drawn:daruma-doll | daruma doll | object | 0.2 | 1 | surface | daruma | 达摩 不倒翁 |
drawn:tiki | tiki | object | 1.8 | 0.56 | ground | tiki statue, tiki totem | 提基神像 |
drawn:obelisk | obelisk | landmark | 25 | 0.28 | ground | cleopatra's needle | 方尖碑 |
drawn:hieroglyph-tablet | rosetta stone | object | 1.1 | 1 | ground | hieroglyphs, hieroglyphics, hieroglyph, stone tablet | 石碑 象形文字 |
drawn:ankh | ankh | symbol | 0.3 | 0.65 | surface | | 生命之符 |
drawn:sextant | sextant | object | 0.3 | 1.4 | surface | | 六分仪 |
drawn:chariot | chariot | vehicle | 1.6 | 1.6 | ground | roman chariot | 战车 |
drawn:treasure-map | treasure map | object | 0.4 | 1.5 | surface | pirate map | 藏宝图 |
drawn:old-world-map | old world map | object | 0.7 | 1.9 | surface | antique map, vintage map, old map, ancient map | 古地图 |
drawn:wall-map | map of the world | object | 0.9 | 1.92 | wall | political map, world map poster | 挂图 |
drawn:transit-map | subway map | object | 0.7 | 1.52 | wall | metro map, transit map, underground map, tube map, train map | 地铁图 地铁线路图 |
drawn:pie-chart | pie chart | symbol | 0.4 | 1 | surface | | 饼图 |
drawn:flowchart | flowchart | symbol | 0.4 | 0.96 | surface | flow chart | 流程图 |
drawn:venn-diagram | venn diagram | symbol | 0.4 | 1.1 | surface | | 维恩图 韦恩图 |
drawn:maze | maze | symbol | 0.4 | 1 | surface | labyrinth | 迷宫 |
drawn:qr-code | qr code | symbol | 0.2 | 1 | surface | | 二维码 |
drawn:barcode | barcode | symbol | 0.2 | 1.48 | surface | bar code | 条形码 |
drawn:circuit-board | circuit board | object | 0.15 | 1.4 | surface | motherboard | 电路板 |
drawn:periodic-table | periodic table | object | 0.9 | 1.84 | wall | periodic table of elements | 元素周期表 |
drawn:stamp | postage stamp | object | 0.04 | 0.86 | surface | stamp | 邮票 |
drawn:postcard | postcard | object | 0.1 | 1.48 | surface | post card | 明信片 |
drawn:mandala | mandala | symbol | 0.4 | 1 | surface | | 曼陀罗 |
`
