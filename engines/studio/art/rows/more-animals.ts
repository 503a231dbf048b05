/** Breeds, dinosaurs, sea life and other animals without an emoji. Heights as in `animals.ts`. */
export const moreAnimalRows = `
rig:husky | husky | animal | 0.6 | 1.2 | ground | siberian husky, husky dog, alaskan malamute, malamute | 哈士奇 雪橇犬 |
rig:golden-retriever | golden retriever | animal | 0.6 | 1.2 | ground | retriever, golden retriever dog, golden retriever puppy, irish setter, setter | 金毛 金毛犬 金毛寻回犬 |
rig:labrador | labrador | animal | 0.6 | 1.2 | ground | labrador retriever, lab dog, yellow lab, labrador dog, weimaraner | 拉布拉多 拉布拉多犬 |
rig:poodle | poodle | animal | 0.5 | 1.1 | ground | poodle dog, standard poodle, toy poodle, miniature poodle | 贵宾犬 贵妇犬 泰迪犬 | > poodle
rig:german-shepherd | german shepherd | animal | 0.65 | 1.3 | ground | german shepherd dog, alsatian, belgian malinois, police dog | 德国牧羊犬 狼狗 |
rig:pomeranian | pomeranian | animal | 0.28 | 1 | ground | pomeranian dog, spitz, samoyed, chow chow, pom dog | 博美 萨摩耶 |
rig:bengal-cat | bengal cat | animal | 0.36 | 1.2 | ground | bengal, ocelot, spotted cat, savannah cat | 孟加拉猫 豹猫 |
rig:russian-blue | russian blue | animal | 0.36 | 1.2 | ground | russian blue cat, british shorthair, british shorthair cat, scottish fold | 英国短毛猫 |
rig:corgi | corgi | animal | 0.4 | 1.2 | ground | welsh corgi, corgi dog, pembroke corgi | 柯基 柯基犬 |
rig:dachshund | dachshund | animal | 0.35 | 1.6 | ground | sausage dog, wiener dog, weiner dog, dachshund dog, basset hound | 腊肠犬 腊肠狗 |
rig:dalmatian | dalmatian | animal | 0.6 | 1.1 | ground | dalmatian dog | 斑点狗 大麦町犬 |
rig:pug | pug | animal | 0.35 | 1.1 | ground | pug dog | 巴哥犬 哈巴狗 |
rig:bulldog | bulldog | animal | 0.42 | 1.2 | ground | french bulldog, english bulldog, boxer dog, mastiff, pit bull | 斗牛犬 法国斗牛犬 |
rig:shiba | shiba inu | animal | 0.42 | 1.2 | ground | shiba, shiba inu dog, akita, doge | 柴犬 秋田犬 |
rig:chihuahua | chihuahua | animal | 0.25 | 1 | ground | chihuahua dog | 吉娃娃 |
rig:greyhound | greyhound | animal | 0.7 | 1.1 | ground | whippet, greyhound dog, saluki | 灰狗 灵缇 |
rig:rottweiler | rottweiler | animal | 0.65 | 1.2 | ground | doberman, doberman pinscher, rottweiler dog | 罗威纳犬 杜宾犬 |
rig:terrier | terrier | animal | 0.3 | 1.1 | ground | westie, maltese, yorkshire terrier, scottish terrier, jack russell, jack russell terrier, shih tzu | 梗犬 约克夏 |
rig:labradoodle | labradoodle | animal | 0.55 | 1.2 | ground | goldendoodle, cockapoo, doodle dog | 拉布拉多贵宾犬 |
rig:spaniel | spaniel | animal | 0.45 | 1.2 | ground | cocker spaniel, springer spaniel, king charles spaniel | 西班牙猎犬 可卡犬 |
rig:collie | collie | animal | 0.6 | 1.3 | ground | border collie, sheltie, rough collie, sheepdog, bernese mountain dog, saint bernard | 牧羊犬 边境牧羊犬 |
rig:siamese | siamese cat | animal | 0.36 | 1.2 | ground | siamese, himalayan cat | 暹罗猫 |
rig:tuxedo-cat | tuxedo cat | animal | 0.36 | 1.2 | ground | black and white cat | 奶牛猫 |
rig:calico | calico cat | animal | 0.36 | 1.2 | ground | calico, tortoiseshell cat | 三花猫 |
rig:grey-tabby | tabby cat | animal | 0.36 | 1.2 | ground | tabby, gray tabby, grey tabby, gray cat, grey cat, maine coon | 虎斑猫 狸花猫 |
rig:persian | persian cat | animal | 0.36 | 1.2 | ground | ragdoll cat, fluffy cat, angora cat | 波斯猫 布偶猫 |
rig:sphynx | sphynx cat | animal | 0.36 | 1.2 | ground | sphynx, hairless cat | 无毛猫 斯芬克斯猫 |
rig:cheetah | cheetah | animal | 0.85 | 1.4 | ground | | 猎豹 |
rig:snow-leopard | snow leopard | animal | 0.7 | 1.6 | ground | | 雪豹 |
rig:panther | black panther | animal | 0.8 | 1.6 | ground | panther, black leopard, black jaguar | 黑豹 |
rig:lynx | lynx | animal | 0.65 | 1.3 | ground | bobcat, caracal | 猞猁 |
rig:hyena | hyena | animal | 0.85 | 1.3 | ground | spotted hyena | 鬣狗 |
rig:arctic-fox | arctic fox | animal | 0.5 | 1.5 | ground | white fox, snow fox | 北极狐 白狐 |
rig:wombat | wombat | animal | 0.35 | 1.4 | ground | | 袋熊 |
rig:capybara | capybara | animal | 0.55 | 1.4 | ground | | 水豚 卡皮巴拉 |
rig:platypus | platypus | animal | 0.2 | 3 | ground | duck-billed platypus | 鸭嘴兽 |
rig:armadillo | armadillo | animal | 0.25 | 2.6 | ground | pangolin | 犰狳 穿山甲 |
rig:meerkat | meerkat | animal | 0.3 | 1.3 | ground | suricate | 狐獴 猫鼬 |
rig:mongoose | mongoose | animal | 0.2 | 1.7 | ground | | 獴 |
rig:ferret | ferret | animal | 0.2 | 1.7 | ground | weasel, stoat, ermine, polecat, mink | 雪貂 黄鼠狼 |
rig:lemur | lemur | animal | 0.45 | 1.3 | ground | ring-tailed lemur | 狐猴 |
rig:opossum | opossum | animal | 0.3 | 1.5 | ground | possum | 负鼠 |
rig:guinea-pig | guinea pig | animal | 0.15 | 1.2 | ground | cavy | 豚鼠 荷兰猪 |
rig:mole | mole | animal | 0.1 | 1.4 | ground | | 鼹鼠 |
rig:yak | yak | animal | 1.8 | 1.3 | ground | | 牦牛 |
rig:highland-cow | highland cow | animal | 1.4 | 1.3 | ground | highland cattle | 高地牛 |
rig:antelope | antelope | animal | 1.2 | 1 | ground | gazelle, impala, oryx, springbok | 羚羊 瞪羚 |
rig:triceratops | triceratops | animal | 3 | 2.3 | ground | | 三角龙 |
rig:stegosaurus | stegosaurus | animal | 3.6 | 2.2 | ground | | 剑龙 |
rig:ankylosaurus | ankylosaurus | animal | 2.2 | 2.9 | ground | | 甲龙 |
rig:pterodactyl | pterodactyl | animal | 2 | 2.6 | air | pteranodon, pterosaur | 翼龙 |
rig:lizard | lizard | animal | 0.15 | 3.4 | ground | gecko, salamander, newt, skink, komodo dragon, bearded dragon | 蜥蜴 壁虎 |
rig:iguana | iguana | animal | 0.3 | 3 | ground | green iguana | 鬣蜥 |
rig:chameleon | chameleon | animal | 0.2 | 1.9 | ground | | 变色龙 |
rig:goldfish | goldfish | fish | 0.12 | 2 | underwater | gold fish | 金鱼 |
rig:koi | koi | fish | 0.3 | 2 | underwater | koi fish, koi carp, carp | 锦鲤 鲤鱼 |
rig:clownfish | clownfish | fish | 0.12 | 2 | underwater | clown fish, nemo | 小丑鱼 |
rig:salmon | salmon fish | fish | 0.3 | 2 | underwater | trout, bass fish, cod fish | 鲑鱼 |
rig:stingray | stingray | fish | 0.6 | 2.2 | underwater | manta ray, ray fish, manta | 魟鱼 蝠鲼 |
rig:eel | eel | fish | 0.3 | 3.8 | underwater | moray eel, moray | 鳗鱼 海鳗 |
rig:narwhal | narwhal | fish | 1.6 | 3.4 | underwater | | 独角鲸 |
rig:dragonfly | dragonfly | insect | 0.06 | 1.6 | air | damselfly | 蜻蜓 |
rig:mantis | mantis | insect | 0.08 | 1.4 | ground | praying mantis | 螳螂 |
rig:centipede | centipede | insect | 0.04 | 3.4 | ground | millipede | 蜈蚣 |
rig:tarantula | tarantula | insect | 0.1 | 2.3 | ground | hairy spider | 狼蛛 捕鸟蛛 |
`
