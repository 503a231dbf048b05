import { placeIdioms } from './place-idioms.ts'
import { pouringIdioms } from './pouring-idioms.ts'
import { viewIdioms } from './view-idioms.ts'

/** Matches a kite or a drone, with up to two words for it before it. */
const flown = '(?:(?!over|in|above|on|at|near|with|to|by|past|around|under|and|through|across|from)[a-z-]{2,12} ){0,2}(?:kite|drone)s?\\b'
/** Matches a word for a town or its streets. */
const town = '\\b(?:street|city|alley|downtown|tokyo|avenue|metropolis|shibuya|hong kong|times square)\\b'

/** Idioms, and the plain words that replace them and that the parser knows. Each pattern matches a
 *  limited number of characters, so that the run time grows linearly with the text. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [
    /\bfallen (?=(?:[a-z]{3,12} )?(?:bicycle|bike|motorcycle|scooter|chair|stool|ladder|lamp|sign|vase|bottle|cup|glass|statue|tree|log|tower|robot)s?\b)/gi,
    'toppled ',
  ],
  [/\bpyramid of (?=(?:[a-z-]{2,12} ){0,2}[a-z]{2,12}s\b)/g, 'pile of '],
  [/\bchests? (?:with|that has|having) (?:(?:two|three|four|five|six|several|many|\d) )?drawers\b/gi, 'chest of drawers'],
  [/\bwith an? (?:[a-z]{3,12} )?pattern of (?=(?:[a-z-]{2,15} ){0,2}[a-z]{2,15}s\b)/gi, 'with '],
  [/\b(?:in|behind|at) the (?:driver['’]s seat|wheel|steering wheel) of (?=an?|the|his|her|its)/gi, 'driving '],
  [
    /\b(?:rescu|sav)(?:ing|es) (an? (?:[a-z]{2,12} ){0,2}[a-z]{2,12}) (?:from|out of|down from) (an?|the) tree\b/gi,
    'reaching for $1 in $2 tree',
  ],
  // In "men playing cards", a card game is meant; in "a deck of playing cards", the cards.
  [
    /(?<=\b(?:m[ae]n|wom[ae]n|people|person|friends?|boys?|girls?|kids?|children|couple|family|dogs?|cats?|monkeys?|robots?|soldiers?|pirates?|cowboys?)) playing cards\b/gi,
    ' playing with playing cards',
  ],
  // A person in a hammock is drawn lying on it, not behind its edge as in a boat.
  [/\bin (?=(?:an?|the|his|her|their) (?:[a-z-]{2,12} )?hammock\b)/gi, 'on '],
  // A being that surfs stands on a surfboard at sea.
  [/\bsurf(?:ing|s|ed) (?:on |in )?(?:an? |the |some )?((?:[a-z]{3,9} )?waves?)\b/gi, 'riding a surfboard in front of the $1 at sea'],
  [
    /\bsurfing\b(?! (?:the|on|through|channels|board|school|competition|contest|lesson|shop|gear|a surfboard|with))/gi,
    'riding a surfboard at sea',
  ],
  // A person who reads or eats "on a bench" sits on it.
  [
    /\b(reading|eating|drinking|writing|drawing|knitting|waiting|relaxing|resting) on (?=(?:an?|the|his|her|their) (?:[a-z-]{2,12} ){0,2}(?:bench|sofa|couch|chair|armchair|stool|swing|rug|blanket|log|rock|stairs)\b)/gi,
    '$1 seated on ',
  ],
  // In "kids flying their kites", the kites fly, not the kids.
  [
    new RegExp(
      `\\bfl(?:ying|ies|y|ew) (?=(?:(?:an?|the|his|her|their|its|some|several|many|few|two|three|four|five|six) ){1,2}${flown})`,
      'gi',
    ),
    'holding ',
  ],
  [
    new RegExp(
      ` (?<=\\b(?:m[ae]n|wom[ae]n|people|persons?|friends?|boys?|girls?|kids?|child(?:ren)?|couple|family|families|students?|grandfather|mother|father|dogs?|cats?|bears?|foxes|rabbits|robots?|who|is|are|was|were|to) )fl(?:ying|ies|y|ew) (?=${flown})`,
      'gi',
    ),
    ' holding ',
  ],
  // The drawing of a robot does not change with its pose, so its watering can is a thing by itself.
  [
    /\brobots? (?:is |are )?water(?:s|ing) (?=(?:an? |the |some |its |his |her |my ){0,1}(?:[a-z]{2,12} ){0,2}(?:plant|flower|garden|rose|tree|vegetable|sunflower|tulip)s?\b)/gi,
    'robot in a garden holding a watering can in front of ',
  ],
  [/\b(?:the |a |an? (?:happy|young) )?(?:wedding|bridal|newlywed|newly married|just married) couple\b/gi, 'a bride and a groom'],
  // A person who makes coffee holds the cup; beside the person it would stand on the floor.
  [
    /\b(baristas?) (?:is |are )?(?:mak|prepar|serv)(?:es?|ing) (?:an? |some )?(?:cup of )?(?=(?:coffee|tea|espresso|cappuccino|latte)\b(?! art))/gi,
    '$1 holding a cup of ',
  ],
  // A person who is carried out of a house is shown in front of it.
  [
    /\b((?:carry|carries|carrying|rescu(?:es|ing)|sav(?:es|ing)) (?:an? |the |two |three )?(?:[a-z]{2,12} ){1,2})(?:out of|from) (?=(?:an?|the) (?:burning |flooded |collapsed )?(?:building|house|apartment|school|hospital|barn)\b)/gi,
    '$1in front of ',
  ],
  // In "feeding a baby with a bottle", the person who feeds holds the bottle.
  [
    /\b(feed(?:s|ing)? (?:[a-z]{1,12} ){1,4})(?:from|out of|with) (?=(?:an?|the|his|her) (?:[a-z]{2,12} )?(?:bucket|bowl|bottle|bag|basket|spoon|pail|sack)\b)/gi,
    '$1holding ',
  ],
  // In "eyes with a blue iris", the iris is a part of the eye and not a flower.
  [/\beyes? with (?:an? |the )?(?:bright |dark |light |deep |pale )?([a-z]{3,9}) iris(?:es)?\b/gi, '$1 eye'],
  [
    /\b(human|woman['’]s|man['’]s) (blue|green|brown|hazel|gr[ea]y|amber|violet|purple|red|gold|golden|black|orange|yellow) eye\b/gi,
    '$2 $1 eye',
  ],
  [/\bheart[- ]shaped hot[- ]air balloon\b/gi, 'hot air balloon shaped like a heart'],
  [/\bfour[- ]lea(?:f|fed|ved) clover/gi, 'lucky clover'],
  // Close-ups of an eye or a hand have their own drawings, which these words name.
  [
    /\b(?:an?|the|one) (?:human |woman'?s |man'?s |child'?s |person'?s |outstretched |open )?hand (?=(?:that is |which is )?(?:holding|holds|with|carrying)\b)/gi,
    'a gripping hand ',
  ],
  [
    /\b(?:(?:extreme )?close[- ]?up (?:(?:photo|shot|view|picture|macro photo) )?(?:of )?)?(?:the |an? )?(?:[a-z]+ )?(?:eye of an? |eye of the )(cat|tiger|lion|snake|dragon|crocodile|lizard|reptile)\b/gi,
    'a $1 eye',
  ],
  [
    /\b(?:(?:extreme )?close[- ]?up (?:(?:photo|shot|view|picture|macro photo) )?(?:of )?)(?:an? |the )?(cat|tiger|lion|snake|dragon|crocodile|lizard|reptile)['’]s eye\b/gi,
    'a $1 eye',
  ],
  [
    /\b(?:(?:extreme )?close[- ]?up (?:(?:photo|shot|view|picture|macro photo) )?(?:of )?)(?:an? |the )?((?:(?!human |woman|man['’]|person)[a-z]+ )?)(?:human |woman['’]s |man['’]s |person['’]s )?eye\b(?! of)/gi,
    'a $1human eye',
  ],
  [/\b(?:painting|picture|portrait|copy|print) of (?:the )?mona lisa\b/gi, 'mona lisa painting'],
  [/\blamp (?=hanging (?:above|over|from)\b)/gi, 'hanging lamp '],
  [/\b(?:lying|laid|resting|fallen) on (?:its|their) (?:left |right )?sides?\b/gi, 'toppled'],
  [
    /\b(?:that (?:has|have|was|were|is|are) )?(?:been )?(?:knocked|tipped|fallen|pushed|blown|toppled|turned) over\b(?! (?:a|an|the|some|his|her|its)\b)/gi,
    'toppled',
  ],
  [/\b(?:the |an? )?(?:number|digit|numeral|letter)s? (\d{1,6}|[A-Z]{1,3})\b(?! of\b)/g, '"$1"'],
  [/\bwith (\d[\d+=x×÷*/ .-]{2,14}\d) (?:written )?on it\b/gi, 'with "$1" on it'],
  [/\bon (?:its|their) (?:chest|belly|stomach|tummy|side)s?\b(?=[,.;]|$)/gi, 'on it'],
  [/\bstacks? of ((?:[a-z-]{3,12} ){0,2})pancakes\b/gi, '$1pancake'],
  [
    /\btowels? (?=(?:(?:lying|spread(?: out)?|laid(?: out)?|left) )?(?:on|in|at) (?:an?|the) (?:[a-z]{3,10} )?(?:beach|sand|grass|lawn|shore|floor|ground|deck|pool)\b)/gi,
    'beach towel ',
  ],
  [/\b((?:on|at|around) (?:an?|the) )kitchen (table|counter)\b/gi, '$1$2 in the kitchen'],
  // A container with contents is drawn open, so that the contents are visible.
  [
    /\b(?:wooden )?(?:crate|box)(?= (?:full of|filled with|of) (?:[a-z]{3,12} ){0,2}(?:apples|oranges|lemons|limes|pears|peaches|plums|tomatoes|potatoes|onions|carrots|peppers|cabbages|pumpkins|corn|vegetables|fruits?|eggs|bottles|mangoes|pineapples|avocados|grapes|bananas)\b)/gi,
    'open crate',
  ],
  [
    /\bbox(?= (?:full of|filled with|of) (?:[a-z]{3,12} ){0,2}[a-z]{3,12}s\b)(?! of (?:chocolates|matches|crayons|tissues|pencils|cards))/gi,
    'open box',
  ],
  [
    /\bbag(?= (?:full of|filled with|of) (?:[a-z]{3,12} ){0,2}(?:potatoes|onions|carrots|apples|oranges|rice|flour|grain|wheat|beans|coffee beans|coins|money|gold|corn|nuts|presents|toys|marbles)\b)/gi,
    'sack',
  ],
  // The drawing of pancakes already includes the syrup.
  [/(?<=\bpancakes?\b[a-z ,]{0,40}?)(?:,? and|,? with) (?:(?:maple|golden) )?syrup(?: on (?:top|them))?\b/gi, ''],
  // "Two cups of coffee, one with ..., the other with ..." is split into two things, each with its
  // own description.
  [
    /\btwo (cup|mug|glass|plate|bowl|bottle|shirt|sign|flag|book|balloon)e?s( of [a-z]{2,15})?[,:] one with ([^.,;]{2,60})[.,;] (?:and )?the other (?:one )?(?:has|with|wears) (?=[^.;]{2,60})/gi,
    'a $1$2 with $3 and a $1$2 with ',
  ],
  [
    /\b(?:an? )?(?:cup|mug)s? of (?:coffee|latte|cappuccino) with latte art of (?:the words?|an? word) ("[^"]{1,40}")(?: written in (?:one|it|the other))?/gi,
    'a latte art that says $1',
  ],
  [
    /\b(?:an? )?(?:cup|mug)s? of (?:coffee|latte|cappuccino) with latte art of ((?:an?|the) )?([^.,;]{2,40}?)(?= and a (?:cup|mug)|[.,;]|$)/gi,
    'a latte art with $1$2 on it',
  ],
  [/\b(?:(?:that|which) )?(?:can|could|may) be seen\b/gi, ''],
  [/\btug[- ]of[- ]war\b/gi, 'with a rope'],
  [/\b(?:kid|child|children)s?['’]s? (?=(?:book|toy|bike|bicycle|chair|bed)\b)/gi, ''],
  [/\b(?:stack|pile)s? of ((?:[a-z-]{2,15} ){0,2}?)(cash|money|snow|sand|dirt|trash|garbage)\b/gi, 'pile of $1$2'],
  [/\btowers? of (?=(?:[a-z-]{2,15} ){0,2}?[a-z-]{2,15}s\b)/g, 'stack of '],
  [/\b(?:in|into|to) the shape of\b/gi, 'shaped like'],
  [/\b(?:that|which) (?:is|are) (?=shaped like\b)/gi, ''],
  [/\b(?:resembling|that resembles?|looking like|that looks? like)\b/gi, 'that looks like'],
  [
    /\b(?:that (?:is|are|has been|have been) )?(?:cut|sliced|split|chopped|sawn|broken|torn|snapped) (?:in(?:to)? (?:half|halves|two)|open|in the middle|down the middle)\b/gi,
    'halved',
  ],
  [
    /\b(?:that (?:is|are|has been|have been) )?(?:cut|chopped|sliced) (?:in)?(?:to|up into|up in) (?:slices|pieces|chunks)\b/gi,
    'sliced up',
  ],
  [/\bslices of (?=[a-z])/gi, 'sliced up '],
  [/\b(?:smashed|shattered|cracked|broken) (?:in|into|to) (?:pieces|bits|shards)\b/gi, 'shattered'],
  [
    /\b(?:an? |the )?(?:(?:labell?ed|detailed|technical|simple|scientific) )?(?:diagram|schematic|cutaway|infographic|anatomy|(?:a )?cross[- ]section(?:al)?(?: view| diagram)?) of (?:an? |the )?/gi,
    'diagram style of a ',
  ],
  [/\bThe Starry Night\b/g, 'a village with a church under a starry night, van gogh'],
  // Phrases such as "missing its wheels" and "that just lost its tail" mean "without".
  [
    /\b(?:(?:that|which|who) )?(?:has |have |is |are )?(?:just )?(?:missing|lacking|lost) (?=(?:its|his|her|their|the|all|some|one|two|an?) )/gi,
    'without ',
  ],
  [
    /\bblack[- ]and[- ]white (?=(?:landscape |portrait |vintage |old |aerial |street )?(?:photo|photograph|photography|picture|image|film|movie|portrait|still)\b)/gi,
    'monochrome ',
  ],
  [/\bwith an? (?:[a-z]{2,10} )?silhouette of an? ([a-z]{2,15})\b/gi, 'with a black $1 on it'],
  [/\bwith an? (?:black )?([a-z]{2,15}) silhouette\b(?: on it)?/gi, 'with a black $1 on it'],
  // A text or picture on a part of a thing ("on its cover") is placed on the whole thing, because
  // the part has no drawing of its own.
  [
    /\bon (?:its|their) (?:front |back |left |right )?(?:cover|front|sides?|hood|surface|lid|label|screen|roof|door|walls?|hull|tip|face|body)\b/gi,
    'on it',
  ],
  [/\b(?:in|at|on) (?:its|their) (?:very )?(?:center|centre|middle)\b/gi, 'on it'],
  [
    /\b(?:in|inside|from|into|out of) (?:its|their) (?:open |wide )?(?:spout|rim|opening|bell|basket|bed|hold|trunk|top|branches|interior)\b/gi,
    'in it',
  ],
  // In "a triangle with a smiling face", the face is the expression of the triangle, not a separate
  // thing.
  [
    /\b(?<=(?:an?|the) (?:[a-z-]{2,15} ){0,2})((?:[a-z-]{3,15}) )with an? (smiling|happy|sad|angry|surprised|crying|sleepy) face\b/gi,
    '$2 $1',
  ],
  [
    /\b(?:emoji|emoticon|sticker|thumbnail(?: image)?|clip ?art|cartoon drawing) of (?=an? |the |two |three |some )/gi,
    'simple vector illustration of ',
  ],
  [
    /^\s*(?:an? |the )?(?:[a-z-]{3,12} ){0,2}?(?:colou?ring (?:book )?(?:pages?|sheets?|book)|doodles?|tattoo(?: design)?s?) of (?=an? |the |two |three |some )/gi,
    'line art of ',
  ],
  // The style "chalk drawing" already includes a blackboard, so the words for the blackboard are
  // removed.
  [/\b(chalk (?:drawing|sketch|art|picture) (?:of|showing) [^.;]{2,90}?) on an? (?:[a-z]{3,8} )?(?:blackboard|chalkboard)\b/gi, '$1'],
  [
    /^\s*(?:an? |the )?((?:[a-z-]{3,12} ){0,2}?)tapestry (?:of|showing|depicting|with) (?=an? |the |two |three |some )/gi,
    'tapestry style $1picture of ',
  ],
  [
    /^\s*(?:an? |the )?((?:[a-z-]{3,12} ){0,2}?)fresco (?:of|showing|depicting|with) (?=an? |the |two |three |some )/gi,
    'fresco style $1picture of ',
  ],
  [
    /^(\s*(?:an? |the )?(?:[a-z-]{3,12} )?)(?:drawing|picture|painting) of ([^.;]{2,90}?) (?:made |done |drawn |painted )?by an? (?:[a-z]{3,12} |[\w-]{1,12}[- ]year[- ]old )?(?:child|kid|toddler)\b/gi,
    '$1crayon drawing of $2',
  ],
  [/\b(?:made|done|drawn|painted) by an? (?:[a-z]{3,12} |[\w-]{1,12}[- ]year[- ]old )?(?:child|kid|toddler)\b/gi, ', crayon drawing'],
  [/\bthumbnail (?=image|picture|photo)/gi, ''],
  [
    /\b(?:an? )?(tennis|badminton|table tennis|ping[- ]pong|soccer|football|basketball|volleyball|baseball|chess|hockey) (?:match|game)\b(?! board| piece)/gi,
    'two $1 players',
  ],
  // In "howling at the moon" or "looking up at the moon", the moon is in the sky above.
  [
    /\b(howl(?:s|ing)?|bark(?:s|ing)?|star(?:es?|ing)|gaz(?:es?|ing)|look(?:s|ing)?|sing(?:s|ing)?|point(?:s|ing)?|reach(?:es|ing)?) (?:up )?(?:at|to|towards?|for) (?:the|a) ((?:full|crescent|half|big|bright|huge) )?moon\b/gi,
    '$1 under a $2moon',
  ],
  [
    /\b((?:[a-z]+ )?flag(?: of (?:the )?[a-z]+(?: [a-z]+)?)?) (?:flying |waving |hanging )?(?:on|from|atop) (?:an? |the |its )?(?:tall |high )?(?:flag)?pole\b/gi,
    '$1',
  ],
  // A street with neon signs that name no words is a street in neon light, which paints such signs
  // on its houses.
  [
    new RegExp(
      `\\bneon signs\\b(?! (?:that|which|say|read|with|of|shaped|in the shape|on))(?<!\\b(?:two|three|four|five|six|\\d{1,2}) neon signs)(?:(?<=${town}[^.]{0,90})|(?=[^.]{0,120}${town}))`,
      'gi',
    ),
    'neon lights',
  ],
  [/\bneon sign(?=s?\b)(?!s)/gi, 'neonsign'],
  [/(?<=\b(?:diagram style|map|model|chart|poster|illustration|drawing|infographic) of (?:the|our|a) )solar system\b/gi, 'planetary chart'],
  // In "learning to fly", "fly" is the verb and not the insect.
  [
    /\b(?:learning|trying|attempting|practi[cs]ing|about|ready|wanting|wants|tries|learns) (?:how )?to (fly|swim|dance|sing|walk|run|read|cook|paint|ski|skate|surf|jump|climb|draw)\b/gi,
    '$1ing',
  ],
  // The bank of a river is not a building.
  [
    /(?<=\b(?:river|canal|lake|stream|pond|creek|boat|brook)\b[\s\S]{0,80}) (?:on|along|by|at) (?:the|its|both|each) (?:river ?|grassy |green |muddy )?banks?\b/gi,
    '',
  ],
  [/\b(?:wizard|witch|professor|scholar|scientist|alchemist|writer|detective|grandfather|father|king)['’]s study\b/gi, 'library'],
  [/\b(?:an? |the )?(?:under(?:water|sea)|sunken) (?:city|town|metropolis)\b/gi, 'three towers and a castle underwater'],
  [/\bchalkboard sign\b/gi, 'blackboard'],
  [/\b(?:an? |the )?hot[- ]air balloon (?:festival|race|fiesta)\b/gi, 'five hot air balloons'],
  // An amusement park has no drawing of its own; typical rides are added as things.
  [
    /\b(amusement park|theme park|fairground|funfair)\b(?![\s\S]{0,120}\b(?:wheel|coaster|carousel|ride|merry-go-round|tent)s?\b)/gi,
    '$1 with a ferris wheel and a carousel',
  ],
  // The sky already has a pale sun; a sun in another colour, or as large as a hill, is a separate
  // thing.
  [
    /\b(red|orange|green|blue|purple|pink|black|golden|giant|huge|enormous|blood-red) sun\b(?! ?(?:rise|set|light|flower|glasses|shine|hat|screen|dress|bear|bed|lounger))/gi,
    '$1 sundisc',
  ],
  // These rooms have no painting of their own; one typical piece of furniture is added, by which a
  // viewer recognises the room.
  [/\b(dining room)\b(?![\s\S]{0,120}\btables?\b)/gi, '$1 with a chandelier above a dining table'],
  [/\b(throne room)\b(?![\s\S]{0,120}\bthrone\b)/gi, '$1 with a throne'],
  [/\b(nursery)\b(?![\s\S]{0,120}\b(?:crib|cradle)\b)/gi, '$1 with a crib'],
  [/\b(ballroom)\b(?![\s\S]{0,120}\bchandelier\b)/gi, '$1 with a chandelier'],
  [
    /\b(?:an? |the )plate (?:full )?of (?=(?:[a-z-]{2,15} ){0,2}(?:sushi|cookies|pancakes|waffles|pasta|spaghetti|fruit|vegetables|cheese|meat|bacon|eggs|dumplings|tacos|donuts|sandwiches|strawberries|grapes|nachos|fries|food|salad|bread|croissants|muffins|brownies|cupcakes|macarons|shrimp|sausages|rice|meatballs|oysters|chicken|steak|ham|ribs)\b)/gi,
    'a plate with ',
  ],
  [/\bmodern windmill/gi, 'wind turbine'],
  [
    /\b(crowded|packed|bustling) (?=(?:[a-z-]{2,15} )?(?:beach|street|square|plaza|park|pool|train station|station|harbou?r|playground|museum|mall|bar|restaurant|cafe|bridge|subway)\b)([a-z -]{4,28}?)(?=$|[,.;]| (?:with|seen|at|in|on|under|during|from|of|near|by)\b)/gi,
    '$2 with fifteen people',
  ],
  // A bite or a missing slice ("with a bite taken out of it") becomes an adjective of the thing.
  [
    /\b(?:with (?:an? |one |two )?(?:big |large |small )?bites? (?:taken |missing )?(?:out of|from|taken out of|gone from)(?: (?:it|them|its side))?|with a bite (?:missing|taken|taken out|gone)|with one bite taken)\b/gi,
    ' that is bitten',
  ],
  [/\b(?:half[- ]eaten|partly eaten|partially eaten)\b/gi, 'bitten'],
  [
    /\b(?:with (?:a|one|the) (?:slice|piece|wedge) (?:missing|cut out|taken out|removed|gone|cut out of it|taken out of it)|missing (?:a|one) (?:slice|piece|wedge))\b/gi,
    ' that is wedgeless',
  ],
  // The place where the viewer stands is not in the picture.
  [
    /\b(?:as )?(?:seen|viewed|photographed|looking down|overlooked) (?:up |down )?from (?:(?:the top of|atop|on) )?(?:an?|the|its) (?:(?:nearby|high|tall|distant|neighbou?ring) ){0,2}(?:hilltop|hill|hillside|mountain ?top|mountain|cliff|rooftop|roof|balcony|tower|bridge|drone|helicopter)\b/gi,
    'seen from above',
  ],
]

const colour = '(?:red|orange|yellow|green|blue|purple|violet|pink|white|black|brown|gr[ae]y|gold|silver|turquoise|teal)'

/** Matches a group in several colours, such as "balloons in red, blue and yellow". Each thing of
 *  the group gets one of the colours. */
const colouredGroup = new RegExp(`\\b([a-z]{2,15}s) in (${colour}(?:, ${colour}){0,5},? and ${colour})(?=\\s*(?:[.,;]|$))`, 'gi')
/** Matches the beginning of a list after "with", such as "with lettuce, tomato and cheese". The
 *  comma is replaced by "and", so that the parser does not end the list there. */
const withList = /\bwith ((?:[a-z]{1,12} ){0,2}[a-z]{2,15}), ((?:[a-z]{1,12} ){0,2}[a-z]{2,15}(?<!ing)),? and /gi

/** Matches a pattern that fills the picture, such as "a painting of black and white vertical
 *  stripes". The colours are then listed one by one, because "black and white" together would mean
 *  a photograph. */
const patterned =
  /^\s*(?:an? )?((?:[a-z]+ ){0,2}?(?:painting|picture|pattern|drawing|image|design|wallpaper)) (?:of|with) ((?:(?:red|orange|yellow|green|blue|purple|pink|white|black|brown|gr[ae]y|gold|silver)(?:,? and |, | )?){1,4})((?:vertical|horizontal|diagonal) )?(stripes|lines|polka dots|dots|checks|squares|checkerboard|zigzags|waves)\s*$/i

function readPattern(text: string): string {
  return text.replace(patterned, (_, kind: string, colours: string, way: string | undefined, shape: string) =>
    [`abstract ${kind}`, `${way ?? ''}${shape} pattern`, ...colours.split(/,? and |, | /).filter(word => word !== '')].join(', '),
  )
}

/** Matches verbs for things that go up and come down again. After such a verb, "in the air" is
 *  removed from the prompt: the scene stays on the ground and does not move into the sky. */
const tossed =
  /\b(?:jump|leap|hop|bounc|trampolin|toss|throw|threw|thrown|juggl|flip|fling|flung|kick|hurl|catch|spik|somersault|backflip|cartwheel)/i
const inAir = /,? ?\b(?:up |high |way )?(?:in|into|through) (?:the |mid-?)?air\b/gi

/** Returns the prompt with its idioms replaced by plain words; everything else stays as written. */
export function rephrase(text: string): string {
  const listed = readPattern(text)
    .replace(colouredGroup, (_, things: string, colours: string) => `${colours.replace(/,? and |, /g, ' and ')} ${things}`)
    .replace(withList, 'with $1 and $2 and ')
  const plain = [...viewIdioms, ...placeIdioms, ...pouringIdioms, ...idioms].reduce(
    (said, [pattern, words]) => said.replace(pattern, words),
    listed,
  )
  return tossed.test(plain) ? plain.replace(inAir, '') : plain
}
