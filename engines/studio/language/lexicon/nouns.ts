/** Words that are drawn under another name: `word, word > catalogue name`. After `|`, a second name
 *  may follow; it is used when the first one has no drawing. */
export const aliasRows = `
flying cars, flying car > flying car
couch > sofa
candle flame, candle flames, flame of a candle, flame of the candle, 烛火 > candle
street lamp, street lights, street light, lamp post, lamppost, streetlights, streetlamps > street lamp
hot air balloon, hot-air balloon > hot-air balloon
cherry blossoms, cherry blossom > cherry tree
pine trees > pine tree
bouquet of flowers, flower bouquet, bouquet > bouquet
ringed planet, planet with rings, planet with a ring > ringed planet
fishes > fish
snowman, snow man > snowman
skyscraper, skyscrapers > skyscraper
globe, globes > desk globe
书生, 才子, 秀才 > scholar
branch, branches, tree branch, bough, twig, 树枝, 枝条, 树枝头 > branch | tree
storefront, shopfront, shop front > store
霓虹灯牌, 灯牌, 牌匾, 牌, 霓虹招牌 > sign
cub, cubs > bear
phone from the 20s, phone from the 1920s, phone from the 30s, old phone, vintage phone, antique phone, rotary phone > telephone
bar of chocolate, chocolate bar > chocolate bar
milk container, carton of milk, milk carton > milk carton
throw rug, area rug > rug
球, 皮球 > ball
peace sign, peace signs, sign of peace > peace symbol
cheque, check, bank check, paycheck > dollar banknote
chalkboard sign, blackboard sign, chalk sign > sign
chalkboard, chalk board > blackboard
`
