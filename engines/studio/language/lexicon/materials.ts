import { words } from './senses.ts'

/** Nouns for materials, one row for each look: `word, word > look`. The looks are the keys in
 *  `engines/studio/subjects/materials.ts`; a colour may follow after `#`. */
const rows = `
wood, timber, driftwood, plywood, oak wood, mahogany, mahoghany, oak, pine wood, 木, 木头 > wooden
stone, stones, rock, rocks, granite, limestone, sandstone, cobblestone, pebbles, 石头, 石 > stone
concrete, cement, 水泥 > concrete
marble, alabaster, 大理石 > marble
brick, bricks, 砖, 砖头 > brick#brick red
gold, solid gold, 黄金, 金 > golden#gold
silver, chrome, mercury, aluminum, aluminium, tin foil, 银 > chrome
metal, iron, steel, tin, scrap metal, wrought iron, stainless steel, 金属, 铁, 钢 > metal
copper, bronze, brass, 铜, 青铜 > copper
rust > rusty#rust
glass, stained glass, 玻璃 > glass
crystal, crystals, diamond, diamonds, quartz, 水晶, 钻石 > crystal
ice, 冰 > ice
snow, 雪 > snow
water, 水 > water
paper, origami, papier mache, 纸 > paper
cardboard, carton, 纸板 > cardboard
newspaper, newspapers, newsprint > newspaper
plastic, rubber, vinyl, 塑料 > plastic
voxels, voxel, pixels, minecraft blocks, lego, legos, lego bricks, lego blocks, building blocks, 乐高, 积木 > lego
leather, suede, 皮革 > leather
wool, yarn, felt, knitting, cotton, 羊毛, 毛线 > knitted
fur, 毛皮 > furry
straw, hay, wicker, rattan, 稻草 > straw
bamboo, 竹, 竹子 > bamboo
porcelain, ceramic, china, ceramics, 陶瓷 > ceramic
clay, terracotta, mud, play doh, plasticine, 黏土 > clay
denim, jeans > denim
velvet, silk, satin, cloth, fabric, linen > velvet
chocolate, 巧克力 > chocolate
cheese, 奶酪 > cheese
grass, moss, 草 > grassy
leaves, 树叶 > leafy
sand, 沙子 > sand
fire, flame, flames, lava, 火 > fire
cloud, clouds, smoke, cotton candy, whipped cream, foam, styrofoam > cloudy
jelly, jello, gelatin > jelly
sponge cake, bread, cake, gingerbread > spongy
rope, ropes, string > straw
`

interface Material {
  look: string
  /** English name of the colour that the material usually has. */
  colour?: string
}

const table = new Map<string, Material>(
  rows
    .trim()
    .split('\n')
    .flatMap(line => {
      const [row = '', meaning = ''] = line.split('>')
      const [look = '', colour] = meaning.trim().split('#')
      return words(row).map(word => [word, colour === undefined ? { look } : { look, colour }] as const)
    }),
)

/** Returns the look for a noun of a material, such as "ice" in "made of ice" and "an ice castle",
 *  or 木 ("wood"); undefined for other words. */
export function materialOf(word: string): Material | undefined {
  return table.get(word.toLowerCase())
}
