/** Texts that are spoken and recognized. We wrote them ourselves, so no voice and no recognizer
 *  can have been trained on them. */

/** Plain prose, about 100 words. */
export const prose = [
  'The harbor was quiet when the first boats came home.',
  'An old woman sat on the wall and watched the men unload their baskets, one after another, until the tide had turned.',
  'Nobody had told her that the lighthouse would be closed, but she knew it from the way the captain looked at the ground.',
  'In the kitchen her grandson was peeling apples for a cake, and the radio played a song that everyone in the village could sing.',
  'Later, when the rain began, they moved the chairs closer to the stove and talked about the summer they had spent in the mountains.',
] as const

/** Difficult sentences: numbers, names, dates, money, units and abbreviations. */
export const hard = [
  'Dr. Elizabeth Carter paid $1,250.75 for 12 tickets on March 3rd, 2024.',
  'The train from Boston to Philadelphia leaves at 7:45 a.m. and arrives at 12:30 p.m.',
  'In 1969, 600 million people watched Neil Armstrong walk on the moon.',
  'The recipe needs 250 g of flour, 3 eggs and 1/2 cup of milk.',
  'Mr. Johnson lives at 221 Baker Street and works for NASA.',
  'Queen Elizabeth II reigned for 70 years, until September 8, 2022.',
  'About 37% of the 4,500 students study chemistry or biology.',
  'Michael and Jennifer drove 85 miles to San Francisco in 2 hours.',
] as const

/** Sentences in other languages, without numerals. They were written before any of them was
 *  spoken, so they were not chosen by their results. */
export const foreign = {
  es: [
    'La biblioteca abre todos los días por la mañana y cierra cuando se pone el sol.',
    'Mi hermana compró pan, queso y una botella de vino en el mercado.',
    'El tren llegó tarde porque había mucha nieve en las montañas.',
    'El perro de mi vecino duerme toda la tarde debajo de la mesa.',
    'Ayer por la noche escuchamos música en la plaza del pueblo.',
    'Los niños juegan en el jardín mientras su abuela prepara la cena.',
    'Nunca he visto un río tan ancho ni tan tranquilo como este.',
    'La profesora abrió la ventana porque hacía mucho calor en la clase.',
    'Quiero aprender a cocinar los platos que hacía mi madre.',
    'El médico le dijo que caminara un poco cada mañana.',
    'Cuando llegamos al puerto, el barco ya se había marchado.',
    'Han pintado de azul la puerta de la vieja escuela.',
    'Por favor, deja las llaves en el cajón de la cocina.',
  ],
  fr: [
    'La bibliothèque ouvre tous les matins et ferme quand le soleil se couche.',
    'Ma sœur a acheté du pain, du fromage et une bouteille de vin au marché.',
    'Le train est arrivé en retard parce que la neige couvrait les montagnes.',
    'Le chien de mon voisin dort tout l’après-midi sous la table.',
    'Hier soir nous avons écouté de la musique sur la place du village.',
    'Les enfants jouent dans le jardin pendant que leur grand-mère prépare le dîner.',
    'Je n’ai jamais vu une rivière aussi large et aussi calme que celle-ci.',
    'La maîtresse a ouvert la fenêtre parce qu’il faisait très chaud dans la classe.',
    'Je voudrais apprendre à cuisiner les plats que faisait ma mère.',
    'Le médecin lui a dit de marcher un peu chaque matin.',
    'Quand nous sommes arrivés au port, le bateau était déjà parti.',
    'On a peint en bleu la porte de la vieille école.',
    'S’il te plaît, laisse les clés dans le tiroir de la cuisine.',
  ],
  it: [
    'La biblioteca apre ogni mattina e chiude quando tramonta il sole.',
    'Mia sorella ha comprato il pane, il formaggio e una bottiglia di vino al mercato.',
    "Il treno è arrivato in ritardo perché c'era molta neve sulle montagne.",
    'Il cane del mio vicino dorme tutto il pomeriggio sotto il tavolo.',
    'Ieri sera abbiamo ascoltato la musica nella piazza del paese.',
    'I bambini giocano in giardino mentre la nonna prepara la cena.',
    'Non ho mai visto un fiume così largo e così tranquillo come questo.',
    'La maestra ha aperto la finestra perché in classe faceva molto caldo.',
    'Vorrei imparare a cucinare i piatti che faceva mia madre.',
    'Il medico gli ha detto di camminare un poco ogni mattina.',
    'Quando siamo arrivati al porto, la nave era già partita.',
    'Hanno dipinto di blu la porta della vecchia scuola.',
    'Per favore, lascia le chiavi nel cassetto della cucina.',
  ],
  pt: [
    'A biblioteca abre todas as manhãs e fecha quando o sol se põe.',
    'Minha irmã comprou pão, queijo e uma garrafa de vinho no mercado.',
    'O trem chegou atrasado porque havia muita neve nas montanhas.',
    'O cachorro do meu vizinho dorme a tarde inteira debaixo da mesa.',
    'Ontem à noite ouvimos música na praça da cidade.',
    'As crianças brincam no jardim enquanto a avó prepara o jantar.',
    'Nunca vi um rio tão largo e tão tranquilo como este.',
    'A professora abriu a janela porque fazia muito calor na sala.',
    'Eu gostaria de aprender a cozinhar os pratos que minha mãe fazia.',
    'O médico disse que ele deve caminhar um pouco toda manhã.',
    'Quando chegamos ao porto, o navio já tinha partido.',
    'Pintaram de azul a porta da velha escola.',
    'Por favor, deixe as chaves na gaveta da cozinha.',
  ],
  zh: [
    '图书馆每天早上开门，太阳下山的时候关门。',
    '我妹妹在市场上买了面包、水果和一瓶牛奶。',
    '火车来晚了，因为山上下了很大的雪。',
    '邻居的狗整个下午都在桌子下面睡觉。',
    '昨天晚上我们在广场上听音乐。',
    '孩子们在花园里玩，奶奶在准备晚饭。',
    '我从来没有见过这么宽、这么安静的河。',
    '教室里很热，所以老师打开了窗户。',
    '我想学做妈妈以前做的菜。',
    '医生说他每天早上应该走一走。',
    '我们到港口的时候，船已经开走了。',
    '他们把老学校的门漆成了蓝色。',
    '请把钥匙放在厨房的抽屉里。',
  ],
} as const

/** A long text: the plain prose repeated, and cut after 1,200 characters. */
export const longText = [...prose, ...prose, ...prose].join(' ').slice(0, 1200)

/** Recordings of people in the folder `human/`, with the words that they speak. */
export const human = [
  {
    file: '0870.ogg',
    said: 'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
  },
  { file: '0880.ogg', said: 'he was not an ill disposed young man' },
  { file: '0890.ogg', said: 'unless to be rather cold hearted and rather selfish is to be ill disposed' },
  { file: '0920.ogg', said: 'had he married a more amiable woman he might have been made still more respectable than he was' },
  { file: '0930.ogg', said: 'he might even have been made amiable himself' },
] as const
