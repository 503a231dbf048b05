/** Animals with drawing functions, on four or two legs. Heights are those of the standing animal,
 *  up to the top of the head. */
export const animalRows = `
rig:fox | fox | animal | 0.6 | 1.5 | ground | red fox, vixen, fennec | 狐狸 小狐狸 狐 九尾狐 | > fox
rig:wolf | wolf | animal | 0.95 | 1.4 | ground | gray wolf, grey wolf, coyote, jackal, werewolf, dingo | 狼 野狼 灰狼 狼群 郊狼 | > wolf
rig:bear | bear | animal | 1.4 | 1.4 | ground | brown bear, grizzly, grizzly bear, bear cub | 熊 棕熊 狗熊 小熊 大熊 | > bear
rig:polar-bear | polar bear | animal | 1.5 | 1.4 | ground | ice bear, white bear | 北极熊 白熊 | > polar-bear
rig:panda | panda | animal | 1.1 | 1.1 | ground | giant panda, panda bear | 熊猫 大熊猫 猫熊 | > panda
rig:red-panda | red panda | animal | 0.45 | 1.5 | ground | lesser panda | 小熊猫 红熊猫 |
rig:lion | lion | animal | 1.3 | 1.4 | ground | king of beasts | 狮子 雄狮 狮 | > lion
rig:lioness | lioness | animal | 1.1 | 1.5 | ground | lion cub, puma, cougar, mountain lion | 母狮 美洲狮 小狮子 |
rig:koala | koala | animal | 0.65 | 0.9 | ground | koala bear | 考拉 树袋熊 无尾熊 | > koala
rig:moose | moose | animal | 2.3 | 1.2 | ground | elk, caribou | 驼鹿 麋鹿 | > moose
rig:reindeer | reindeer | animal | 1.6 | 1.1 | ground | stag, hart, red deer | 驯鹿 雄鹿 |
rig:hamster | hamster | animal | 0.1 | 1.2 | ground | gerbil | 仓鼠 | > hamster
rig:frog | frog | animal | 0.09 | 1.2 | ground | toad, tree frog, bullfrog | 青蛙 蛙 蟾蜍 癞蛤蟆 | > frog
rig:unicorn | unicorn | creature | 2.2 | 1.2 | ground | unicorn horse | 独角兽 | > unicorn
rig:pegasus | pegasus | creature | 2.2 | 1.5 | ground | winged horse, flying horse | 飞马 天马 |
rig:boar | boar | animal | 1 | 1.5 | ground | wild boar, warthog, wild pig, tapir | 野猪 疣猪 | > boar
rig:donkey | donkey | animal | 1.5 | 1.2 | ground | mule, burro, ass | 驴 毛驴 驴子 骡子 | > donkey
rig:pony | pony | animal | 1.3 | 1.2 | ground | foal, colt, filly | 小马 马驹 |
rig:horse | horse | animal | 2.1 | 1.25 | ground | stallion, mare, steed, mustang | 马 骏马 马儿 战马 | < horse
rig:chicken | chicken | bird | 0.42 | 1 | ground | hen, pullet | 鸡 母鸡 小鸡仔 | > chicken
rig:crow | crow | bird | 0.4 | 1.4 | ground | raven, jackdaw, magpie | 乌鸦 渡鸦 喜鹊 |
rig:seagull | seagull | bird | 0.4 | 2.2 | air | gull, albatross, tern | 海鸥 海鸟 信天翁 |
rig:flying-bird | flying bird | bird | 0.25 | 2 | air | swallow, swift, bird in flight | 飞鸟 燕子 小燕子 |
rig:stork | stork | bird | 1.1 | 0.8 | ground | heron, crane bird, egret, ibis, pelican | 鹤 仙鹤 丹顶鹤 白鹭 鹭 苍鹭 鹳 鹈鹕 |
rig:ostrich | ostrich | bird | 2.4 | 0.7 | ground | emu | 鸵鸟 |
rig:western-dragon | dragon | creature | 4 | 1.5 | ground | western dragon, fire dragon, wyvern, flying dragon | 西方龙 火龙 巨龙 飞龙 恶龙 | > dragon
rig:sheep | sheep | animal | 0.95 | 1.2 | ground | ewe, lamb | 绵羊 羊 小羊 羔羊 小绵羊 羊群 | > ewe
rig:dog | dog | animal | 0.65 | 1.2 | ground | hound, mutt, puppy, pup, doggy, doggie, pooch, beagle, foxhound, mongrel, stray dog, pet dog | 狗 小狗 狗狗 犬 猎犬 | > dog
rig:cat | cat | animal | 0.36 | 1.2 | ground | house cat, kitty, kitten, kitty cat, ginger cat, orange tabby, orange tabby cat, ginger tabby, marmalade cat, stray cat, pet cat | 猫 小猫 猫咪 猫儿 橘猫 | > cat
rig:cow | cow | animal | 1.6 | 1.4 | ground | dairy cow, cattle, heifer | 奶牛 牛 母牛 乳牛 | < cow
rig:bull | bull | animal | 1.7 | 1.4 | ground | steer | 公牛 斗牛 | < ox
rig:pig | pig | animal | 0.85 | 1.4 | ground | hog, swine, sow | 猪 小猪 猪猪 大猪 | < pig
rig:goat | goat | animal | 0.95 | 1.2 | ground | billy goat, ibex | 山羊 | < goat
rig:tiger | tiger | animal | 1.1 | 1.6 | ground | bengal tiger, tigress | 老虎 虎 猛虎 | < tiger
rig:leopard | leopard | animal | 0.9 | 1.6 | ground | jaguar | 豹子 豹 花豹 美洲豹 | < leopard
rig:monkey | monkey | animal | 0.7 | 1 | ground | chimpanzee, chimp, baboon, ape | 猴子 猴 小猴子 黑猩猩 猿 | < monkey
rig:rabbit | rabbit | animal | 0.38 | 0.9 | ground | bunny, hare | 兔子 兔 小白兔 小兔子 野兔 | < rabbit
rig:elephant | elephant | animal | 3.2 | 1.25 | ground | african elephant | 大象 小象 | < elephant
rig:giraffe | giraffe | animal | 5 | 0.65 | ground |  | 长颈鹿 | < giraffe
rig:deer | deer | animal | 1.4 | 1 | ground | doe, fawn, roe, buck | 鹿 小鹿 梅花鹿 | < deer
rig:zebra | zebra | animal | 1.9 | 1.25 | ground |  | 斑马 | < zebra
rig:mouse | mouse | animal | 0.07 | 1.4 | ground | field mouse | 老鼠 小老鼠 耗子 鼠 | < mouse
rig:squirrel | squirrel | animal | 0.28 | 1 | ground | red squirrel, gray squirrel | 松鼠 小松鼠 | < chipmunk
rig:penguin | penguin | bird | 0.9 | 0.6 | ground | emperor penguin | 企鹅 | < penguin
rig:owl | owl | bird | 0.45 | 0.65 | ground |  | 猫头鹰 | < owl
rig:duck | duck | bird | 0.4 | 1.1 | ground | mallard, drake, duckling | 鸭子 鸭 小鸭子 小鸭 野鸭 | < duck
`
