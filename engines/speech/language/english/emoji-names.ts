/** Names of emoji in the Unicode standard, some of them shortened: each entry is the character and
 *  its name. */
export const emojiNames: ReadonlyMap<string, string> = new Map(
  `⌚watch|⌛hourglass|⏩right-pointing double triangle|⏪left-pointing double triangle|⏫up-pointing double triangle|
⏬down-pointing double triangle|⏭right-pointing double triangle with vertical bar|⏮left-pointing double triangle with vertical bar|
⏯right-pointing triangle with double vertical bar|⏰alarm clock|⏱stopwatch|⏲timer clock|⏳hourglass with flowing sand|
⏴medium left-pointing triangle|⏵medium right-pointing triangle|⏶medium up-pointing triangle|⏷medium down-pointing triangle|
⏸double vertical bar|⏹black square for stop|⏺black circle for record|▪black small square|▫white small square|
▶right-pointing triangle|◀left-pointing triangle|◻white medium square|◼black medium square|◽white medium small square|
◾black medium small square|☀sun|☁cloud|☂umbrella|☃snowman|☄comet|★black star|☆white star|☇lightning|☈thunderstorm|☉sun|
☊ascending node|☋descending node|☌conjunction|☍opposition|☎telephone|☏telephone|☐ballot box|☑checked box|☒ballot box with x|
☓saltire|☔umbrella|☕hot drink|☖shogi piece|☗shogi piece|☘shamrock|☙reversed rotated floral heart bullet|☚left pointing index|
☛right pointing index|☜left pointing index|☝up pointing index|☞right pointing index|☟down pointing index|☠skull and crossbones|
☡caution|☢radioactive|☣biohazard|☤caduceus|☥ankh|☦orthodox cross|☧chi rho|☨cross of lorraine|☩cross of jerusalem|
☪star and crescent|☫farsi|☬adi shakti|☭hammer and sickle|☮peace|☯yin yang|☰trigram for heaven|☱trigram for lake|☲trigram for fire|
☳trigram for thunder|☴trigram for wind|☵trigram for water|☶trigram for mountain|☷trigram for earth|☸wheel of dharma|☹frowning face|
☺smile|☻smiling face|☼sun with rays|☽first quarter moon|☾last quarter moon|☿mercury|♀female|♁earth|♂male|♃jupiter|♄saturn|♅uranus|
♆neptune|♇pluto|♈aries|♉taurus|♊gemini|♋cancer|♌leo|♍virgo|♎libra|♏scorpius|♐sagittarius|♑capricorn|♒aquarius|♓pisces|♔chess king|
♕chess queen|♖chess rook|♗chess bishop|♘chess knight|♙chess pawn|♚chess king|♛chess queen|♜chess rook|♝chess bishop|♞chess knight|
♟chess pawn|♠spade suit|♡heart suit|♢diamond suit|♣club suit|♤spade suit|♥heart|♦diamond suit|♧club suit|♨hot springs|
♩quarter note|♪eighth note|♫beamed eighth notes|♬beamed sixteenth notes|♭music flat|♮music natural|♯music sharp|♰west syriac cross|
♱east syriac cross|♲universal recycling|♳recycling symbol for type-1 plastics|♴recycling symbol for type-2 plastics|
♵recycling symbol for type-3 plastics|♶recycling symbol for type-4 plastics|♷recycling symbol for type-5 plastics|
♸recycling symbol for type-6 plastics|♹recycling symbol for type-7 plastics|♺recycling symbol for generic materials|
♻universal recycling|♼recycled paper|♽partially-recycled paper|♾permanent paper|♿wheelchair|⚀die face-1|⚁die face-2|⚂die face-3|
⚃die face-4|⚄die face-5|⚅die face-6|⚆white circle with dot right|⚇white circle with two dots|⚈black circle with white dot right|
⚉black circle with two white dots|⚊monogram for yang|⚋monogram for yin|⚌digram for greater yang|⚍digram for lesser yin|
⚎digram for lesser yang|⚏digram for greater yin|⚐white flag|⚑black flag|⚒hammer and pick|⚓anchor|⚔crossed swords|
⚕staff of aesculapius|⚖scales|⚗alembic|⚘flower|⚙gear|⚚staff of hermes|⚛atom|⚜fleur-de-lis|⚝outlined white star|
⚞three lines converging right|⚟three lines converging left|⚠warning|⚡high voltage|⚢doubled female|⚣doubled male|
⚤interlocked female and male|⚥male and female|⚦male with stroke|⚧male with stroke and male and female|⚨vertical male with stroke|
⚩horizontal male with stroke|⚪medium white circle|⚫medium black circle|⚬medium small white circle|⚭marriage|⚮divorce|
⚯unmarried partnership|⚰coffin|⚱funeral urn|⚲neuter|⚳ceres|⚴pallas|⚵juno|⚶vesta|⚷chiron|⚸moon lilith|⚹sextile|⚺semisextile|
⚻quincunx|⚼sesquiquadrate|⚽soccer ball|⚾baseball|⚿key|⛀draughts man|⛁draughts king|⛂draughts man|⛃draughts king|
⛄snowman without snow|⛅sun behind cloud|⛆rain|⛇snowman|⛈thunder cloud and rain|⛉turned white shogi piece|⛊turned black shogi piece|
⛋white diamond in square|⛌crossing lanes|⛍disabled car|⛎ophiuchus|⛏pick|⛐car sliding|⛑helmet with white cross|
⛒circled crossing lanes|⛓chains|⛔no entry|⛕alternate one-way left way traffic|⛖two-way left way traffic|⛗two-way left way traffic|
⛘left lane merge|⛙left lane merge|⛚drive slow|⛛white down-pointing triangle|⛜left closed entry|⛝saltire|
⛞falling diagonal in white circle in black square|⛟truck|⛠restricted left entry-1|⛡restricted left entry-2|
⛢astronomical symbol for uranus|⛣heavy circle with stroke and two dots above|⛤pentagram|⛥right-handed interlaced pentagram|
⛦left-handed interlaced pentagram|⛧inverted pentagram|⛨cross on shield|⛩shinto shrine|⛪church|⛫castle|⛬historic site|
⛭gear without hub|⛮gear with handles|⛯map symbol for lighthouse|⛰mountain|⛱umbrella on ground|⛲fountain|⛳flag in hole|⛴ferry|
⛵sailboat|⛶square four corners|⛷skier|⛸ice skate|⛹person with ball|⛺tent|⛻japanese bank|⛼headstone graveyard|⛽fuel pump|
⛾cup on black square|⛿white flag with horizontal middle black stripe|✀safety scissors|✁upper blade scissors|✂scissors|
✃lower blade scissors|✄scissors|✅check mark|✆telephone location|✇tape drive|✈airplane|✉envelope|✊raised fist|✋raised hand|
✌victory hand|✍writing hand|✎lower right pencil|✏pencil|✐upper right pencil|✑nib|✒nib|✓check mark|✔check mark|✕multiplication x|
✖multiplication x|✗ballot x|✘ballot x|✙outlined greek cross|✚greek cross|✛open centre cross|✜open centre cross|✝latin cross|
✞shadowed white latin cross|✟outlined latin cross|✠maltese cross|✡star of david|✢four teardrop-spoked asterisk|
✣four balloon-spoked asterisk|✤four balloon-spoked asterisk|✥four club-spoked asterisk|✦black four pointed star|
✧white four pointed star|✨sparkles|✩stress outlined white star|✪circled white star|✫open centre black star|
✬black centre white star|✭outlined black star|✮heavy outlined black star|✯pinwheel star|✰shadowed white star|✱asterisk|
✲open centre asterisk|✳eight spoked asterisk|✴eight pointed black star|✵eight pointed pinwheel star|✶six pointed black star|
✷eight pointed rectilinear black star|✸heavy eight pointed rectilinear black star|✹twelve pointed black star|
✺sixteen pointed asterisk|✻teardrop-spoked asterisk|✼open centre teardrop-spoked asterisk|✽teardrop-spoked asterisk|
✾six petalled black and white florette|✿florette|❀florette|❁eight petalled outlined black florette|
❂circled open centre eight pointed star|❃teardrop-spoked pinwheel asterisk|❄snowflake|❅tight trifoliate snowflake|
❆chevron snowflake|❇sparkle|❈sparkle|❉balloon-spoked asterisk|❊eight teardrop-spoked propeller asterisk|
❋eight teardrop-spoked propeller asterisk|❌cross|❍shadowed white circle|❎cross mark|❏lower right drop-shadowed white square|
❐upper right drop-shadowed white square|❑lower right shadowed white square|❒upper right shadowed white square|
❓question mark ornament|❔question mark ornament|❕exclamation mark ornament|❖diamond minus white x|❗exclamation mark|
❘light vertical bar|❙medium vertical bar|❚vertical bar|❛single turned comma quotation mark ornament|
❜single comma quotation mark ornament|❝double turned comma quotation mark ornament|❞double comma quotation mark ornament|
❟low single comma quotation mark ornament|❠low double comma quotation mark ornament|❡curved stem paragraph sign ornament|
❢exclamation mark ornament|❣heart exclamation mark ornament|❤heart|❥rotated heavy black heart bullet|❦floral heart|
❧rotated floral heart bullet|❨medium left parenthesis ornament|❩medium right parenthesis ornament|
❪medium flattened left parenthesis ornament|❫medium flattened right parenthesis ornament|
❬medium left-pointing angle bracket ornament|❭medium right-pointing angle bracket ornament|
❮left-pointing angle quotation mark ornament|❯right-pointing angle quotation mark ornament|❰left-pointing angle bracket ornament|
❱right-pointing angle bracket ornament|❲light left tortoise shell bracket ornament|❳light right tortoise shell bracket ornament|
❴medium left curly bracket ornament|❵medium right curly bracket ornament|❶dingbat negative circled digit one|
❷dingbat negative circled digit two|❸dingbat negative circled digit three|❹dingbat negative circled digit four|
❺dingbat negative circled digit five|❻dingbat negative circled digit six|❼dingbat negative circled digit seven|
❽dingbat negative circled digit eight|❾dingbat negative circled digit nine|❿dingbat negative circled number ten|
➀dingbat circled sans-serif digit one|➁dingbat circled sans-serif digit two|➂dingbat circled sans-serif digit three|
➃dingbat circled sans-serif digit four|➄dingbat circled sans-serif digit five|➅dingbat circled sans-serif digit six|
➆dingbat circled sans-serif digit seven|➇dingbat circled sans-serif digit eight|➈dingbat circled sans-serif digit nine|
➉dingbat circled sans-serif number ten|➊dingbat negative circled sans-serif digit one|
➋dingbat negative circled sans-serif digit two|➌dingbat negative circled sans-serif digit three|
➍dingbat negative circled sans-serif digit four|➎dingbat negative circled sans-serif digit five|
➏dingbat negative circled sans-serif digit six|➐dingbat negative circled sans-serif digit seven|
➑dingbat negative circled sans-serif digit eight|➒dingbat negative circled sans-serif digit nine|
➓dingbat negative circled sans-serif number ten|➔wide-headed rightwards arrow|➕plus|➖minus|➗division|➘south east arrow|
➙rightwards arrow|➚north east arrow|➛drafting point rightwards arrow|➜round-tipped rightwards arrow|
➝triangle-headed rightwards arrow|➞triangle-headed rightwards arrow|➟dashed triangle-headed rightwards arrow|
➠dashed triangle-headed rightwards arrow|➡rightwards arrow|➢three-d top-lighted rightwards arrowhead|
➣three-d bottom-lighted rightwards arrowhead|➤rightwards arrowhead|➥black curved downwards and rightwards arrow|
➦black curved upwards and rightwards arrow|➧squat black rightwards arrow|➨concave-pointed black rightwards arrow|
➩right-shaded white rightwards arrow|➪left-shaded white rightwards arrow|➫back-tilted shadowed white rightwards arrow|
➬front-tilted shadowed white rightwards arrow|➭lower right-shadowed white rightwards arrow|
➮upper right-shadowed white rightwards arrow|➯notched lower right-shadowed white rightwards arrow|➰curly loop|
➱notched upper right-shadowed white rightwards arrow|➲circled heavy white rightwards arrow|➳white-feathered rightwards arrow|
➴black-feathered south east arrow|➵black-feathered rightwards arrow|➶black-feathered north east arrow|
➷black-feathered south east arrow|➸black-feathered rightwards arrow|➹black-feathered north east arrow|
➺teardrop-barbed rightwards arrow|➻teardrop-shanked rightwards arrow|➼wedge-tailed rightwards arrow|➽wedge-tailed rightwards arrow|
➾open-outlined rightwards arrow|➿double curly loop|⬅leftwards black arrow|⬆upwards black arrow|⬇downwards black arrow|
⬛black large square|⬜white large square|⭐star|⭕heavy large circle|🀄mahjong tile red dragon|🃏playing card black joker|
🅰latin capital letter a|🅱latin capital letter b|🅲latin capital letter c|🅳latin capital letter d|🅴latin capital letter e|
🅵latin capital letter f|🅶latin capital letter g|🅷latin capital letter h|🅸latin capital letter i|🅹latin capital letter j|
🅺latin capital letter k|🅻latin capital letter l|🅼latin capital letter m|🅽latin capital letter n|🅾latin capital letter o|
🅿latin capital letter p|🆀latin capital letter q|🆁latin capital letter r|🆂latin capital letter s|🆃latin capital letter t|
🆄latin capital letter u|🆅latin capital letter v|🆆latin capital letter w|🆇latin capital letter x|🆈latin capital letter y|
🆉latin capital letter z|🆊crossed negative squared latin capital letter p|🆋ic|🆌pa|🆍sa|🆎ab|🆏wc|🆐square dj|🆑cl|🆒cool|🆓free|🆔id|🆕new|
🆖ng|🆗ok|🆘sos|🆙up with exclamation mark|🆚vs|🌀cyclone|🌁foggy|🌂closed umbrella|🌃night with stars|🌄sunrise over mountains|🌅sunrise|
🌆cityscape at dusk|🌇sunset over buildings|🌈rainbow|🌉bridge at night|🌊water wave|🌋volcano|🌌milky way|🌍earth globe europe-africa|
🌎earth globe americas|🌏earth globe asia-australia|🌐globe with meridians|🌑new moon|🌒waxing crescent moon|🌓first quarter moon|
🌔waxing gibbous moon|🌕full moon|🌖waning gibbous moon|🌗last quarter moon|🌘waning crescent moon|🌙crescent moon|🌚new moon with face|
🌛first quarter moon with face|🌜last quarter moon with face|🌝full moon with face|🌞sun with face|🌟glowing star|🌠shooting star|
🌡thermometer|🌢droplet|🌣sun|🌤sun with small cloud|🌥sun behind cloud|🌦sun behind cloud with rain|🌧cloud with rain|🌨cloud with snow|
🌩cloud with lightning|🌪cloud with tornado|🌫fog|🌬wind blowing face|🌭hot dog|🌮taco|🌯burrito|🌰chestnut|🌱seedling|🌲evergreen tree|
🌳deciduous tree|🌴palm tree|🌵cactus|🌶hot pepper|🌷tulip|🌸cherry blossom|🌹rose|🌺hibiscus|🌻sunflower|🌼blossom|🌽ear of maize|
🌾ear of rice|🌿herb|🍀four leaf clover|🍁maple leaf|🍂fallen leaf|🍃leaf fluttering in wind|🍄mushroom|🍅tomato|🍆aubergine|🍇grapes|🍈melon|
🍉watermelon|🍊tangerine|🍋lemon|🍌banana|🍍pineapple|🍎red apple|🍏green apple|🍐pear|🍑peach|🍒cherries|🍓strawberry|🍔hamburger|
🍕slice of pizza|🍖meat on bone|🍗poultry leg|🍘rice cracker|🍙rice ball|🍚cooked rice|🍛curry and rice|🍜steaming bowl|🍝spaghetti|🍞bread|
🍟french fries|🍠roasted sweet potato|🍡dango|🍢oden|🍣sushi|🍤fried shrimp|🍥fish cake with swirl design|🍦soft ice cream|🍧shaved ice|
🍨ice cream|🍩doughnut|🍪cookie|🍫chocolate bar|🍬candy|🍭lollipop|🍮custard|🍯honey pot|🍰shortcake|🍱bento box|🍲pot of food|🍳cooking|
🍴fork and knife|🍵teacup without handle|🍶sake bottle and cup|🍷wine glass|🍸cocktail glass|🍹tropical drink|🍺beer mug|🍻beer|
🍼baby bottle|🍽fork and knife with plate|🍾bottle with popping cork|🍿popcorn|🎀ribbon|🎁wrapped present|🎂birthday cake|🎃jack-o-lantern|
🎄christmas tree|🎅father christmas|🎆fireworks|🎇firework sparkler|🎈balloon|🎉party|🎊confetti ball|🎋tanabata tree|🎌crossed flags|
🎍pine decoration|🎎japanese dolls|🎏carp streamer|🎐wind chime|🎑moon viewing ceremony|🎒school satchel|🎓graduation cap|
🎔heart with tip on the left|🎕bouquet of flowers|🎖military medal|🎗reminder ribbon|🎘musical keyboard with jacks|🎙studio microphone|
🎚level slider|🎛control knobs|🎜beamed ascending musical notes|🎝beamed descending musical notes|🎞film frames|🎟admission tickets|
🎠carousel horse|🎡ferris wheel|🎢roller coaster|🎣fishing pole and fish|🎤microphone|🎥movie camera|🎦cinema|🎧headphone|🎨artist palette|
🎩top hat|🎪circus tent|🎫ticket|🎬clapper board|🎭performing arts|🎮video game|🎯direct hit|🎰slot machine|🎱billiards|🎲game die|🎳bowling|
🎴flower playing cards|🎵musical note|🎶multiple musical notes|🎷saxophone|🎸guitar|🎹musical keyboard|🎺trumpet|🎻violin|🎼musical score|
🎽running shirt with sash|🎾tennis racquet and ball|🎿ski and ski boot|🏀basketball and hoop|🏁chequered flag|🏂snowboarder|🏃runner|
🏄surfer|🏅sports medal|🏆trophy|🏇horse racing|🏈american football|🏉rugby football|🏊swimmer|🏋weight lifter|🏌golfer|🏍racing motorcycle|
🏎racing car|🏏cricket bat and ball|🏐volleyball|🏑field hockey stick and ball|🏒ice hockey stick and puck|
🏓table tennis paddle and ball|🏔snow capped mountain|🏕camping|🏖beach with umbrella|🏗building construction|🏘house buildings|
🏙cityscape|🏚derelict house building|🏛classical building|🏜desert|🏝desert island|🏞national park|🏟stadium|🏠house building|
🏡house with garden|🏢office building|🏣japanese post office|🏤european post office|🏥hospital|🏦bank|🏧automated teller machine|🏨hotel|
🏩love hotel|🏪convenience store|🏫school|🏬department store|🏭factory|🏮izakaya lantern|🏯japanese castle|🏰european castle|🏱pennant|
🏲pennant|🏳waving white flag|🏴waving black flag|🏵rosette|🏶rosette|🏷label|🏸badminton racquet and shuttlecock|🏹bow and arrow|🏺amphora|
🐀rat|🐁mouse|🐂ox|🐃water buffalo|🐄cow|🐅tiger|🐆leopard|🐇rabbit|🐈cat|🐉dragon|🐊crocodile|🐋whale|🐌snail|🐍snake|🐎horse|🐏ram|🐐goat|🐑sheep|
🐒monkey|🐓rooster|🐔chicken|🐕dog|🐖pig|🐗boar|🐘elephant|🐙octopus|🐚spiral shell|🐛bug|🐜ant|🐝honeybee|🐞lady beetle|🐟fish|🐠tropical fish|
🐡blowfish|🐢turtle|🐣hatching chick|🐤baby chick|🐥front-facing baby chick|🐦bird|🐧penguin|🐨koala|🐩poodle|🐪dromedary camel|
🐫bactrian camel|🐬dolphin|🐭mouse face|🐮cow face|🐯tiger face|🐰rabbit face|🐱cat face|🐲dragon face|🐳spouting whale|🐴horse face|
🐵monkey face|🐶dog face|🐷pig face|🐸frog face|🐹hamster face|🐺wolf face|🐻bear face|🐼panda face|🐽pig nose|🐾paw prints|🐿chipmunk|👀eyes|
👁eye|👂ear|👃nose|👄mouth|👅tongue|👆up pointing backhand index|👇down pointing backhand index|👈left pointing backhand index|
👉right pointing backhand index|👊fisted hand|👋waving hand|👌ok hand|👍thumbs up|👎thumbs down|👏clapping hands|👐open hands|👑crown|
👒womans hat|👓eyeglasses|👔necktie|👕t-shirt|👖jeans|👗dress|👘kimono|👙bikini|👚womans clothes|👛purse|👜handbag|👝pouch|👞mans shoe|
👟athletic shoe|👠high-heeled shoe|👡womans sandal|👢womans boots|👣footprints|👤bust in silhouette|👥busts in silhouette|👦boy|👧girl|👨man|
👩woman|👪family|👫man and woman holding hands|👬two men holding hands|👭two women holding hands|👮police officer|👯woman with bunny ears|
👰bride with veil|👱person with blond hair|👲man with gua pi mao|👳man with turban|👴older man|👵older woman|👶baby|👷construction worker|
👸princess|👹japanese ogre|👺japanese goblin|👻ghost|👼baby angel|👽extraterrestrial alien|👾alien monster|👿imp|💀skull|
💁information desk person|💂guardsman|💃dancer|💄lipstick|💅nail polish|💆face massage|💇haircut|💈barber pole|💉syringe|💊pill|💋kiss mark|
💌love letter|💍ring|💎gem stone|💏kiss|💐bouquet|💑couple with heart|💒wedding|💓beating heart|💔broken heart|💕two hearts|💖sparkling heart|
💗growing heart|💘heart with arrow|💙blue heart|💚green heart|💛yellow heart|💜purple heart|💝heart with ribbon|💞revolving hearts|
💟heart decoration|💠diamond shape with a dot inside|💡electric light bulb|💢anger|💣bomb|💤sleeping|💥collision|💦splashing sweat|
💧droplet|💨dash|💩poop|💪strong arm|💫dizzy|💬speech balloon|💭thought balloon|💮flower|💯one hundred|💰money bag|💱currency exchange|
💲dollar|💳credit card|💴banknote with yen|💵banknote with dollar|💶banknote with euro|💷banknote with pound|💸money with wings|
💹chart with upwards trend and yen|💺seat|💻personal computer|💼briefcase|💽minidisc|💾floppy disk|💿optical disc|📀dvd|📁file folder|
📂open file folder|📃page with curl|📄page facing up|📅calendar|📆tear-off calendar|📇card index|📈chart with upwards trend|
📉chart with downwards trend|📊bar chart|📋clipboard|📌pushpin|📍round pushpin|📎paperclip|📏straight ruler|📐triangular ruler|
📑bookmark tabs|📒ledger|📓notebook|📔notebook with decorative cover|📕closed book|📖open book|📗green book|📘blue book|📙orange book|
📚books|📛name badge|📜scroll|📝memo|📞telephone receiver|📟pager|📠fax machine|📡satellite antenna|📢public address loudspeaker|
📣cheering megaphone|📤outbox tray|📥inbox tray|📦package|📧e-mail|📨incoming envelope|📩envelope with downwards arrow above|
📪closed mailbox with lowered flag|📫closed mailbox with raised flag|📬open mailbox with raised flag|📭open mailbox with lowered flag|
📮postbox|📯postal horn|📰newspaper|📱mobile phone|📲mobile phone with rightwards arrow at left|📳vibration mode|📴mobile phone off|
📵no mobile phones|📶antenna with bars|📷camera|📸camera with flash|📹video camera|📺television|📻radio|📼videocassette|📽film projector|
📾portable stereo|📿prayer beads|🔀twisted rightwards arrows|🔁clockwise rightwards and leftwards open circle arrows|
🔂clockwise rightwards and leftwards open circle arrows with circled one overlay|
🔃clockwise downwards and upwards open circle arrows|🔄anticlockwise downwards and upwards open circle arrows|🔅low brightness|
🔆high brightness|🔇speaker with cancellation stroke|🔈speaker|🔉speaker with one sound wave|🔊speaker with three sound waves|🔋battery|
🔌electric plug|🔍left-pointing magnifying glass|🔎right-pointing magnifying glass|🔏lock with ink pen|🔐closed lock with key|🔑key|
🔒lock|🔓open lock|🔔bell|🔕bell with cancellation stroke|🔖bookmark|🔗link|🔘radio button|🔙back with leftwards arrow above|
🔚end with leftwards arrow above|🔛on with exclamation mark with left right arrow above|🔜soon with rightwards arrow above|
🔝top with upwards arrow above|🔞no one under eighteen|🔟keycap ten|🔠input symbol for latin capital letters|
🔡input symbol for latin small letters|🔢input symbol for numbers|🔣input symbol for symbols|🔤input symbol for latin letters|🔥fire|
🔦electric torch|🔧wrench|🔨hammer|🔩nut and bolt|🔪hocho|🔫pistol|🔬microscope|🔭telescope|🔮crystal ball|
🔯six pointed star with middle dot|🔰japanese symbol for beginner|🔱trident emblem|🔲black square button|🔳white square button|
🔴large red circle|🔵large blue circle|🔶large orange diamond|🔷large blue diamond|🔸small orange diamond|🔹small blue diamond|
🔺up-pointing red triangle|🔻down-pointing red triangle|🔼up-pointing small red triangle|🔽down-pointing small red triangle|
🔾lower right shadowed white circle|🔿upper right shadowed white circle|🕀circled cross pommee|🕁cross pommee with half-circle below|
🕂cross pommee|🕃notched left semicircle with three dots|🕄notched right semicircle with three dots|🕅symbol for marks chapter|
🕆latin cross|🕇latin cross|🕈celtic cross|🕉om|🕊dove of peace|🕋kaaba|🕌mosque|🕍synagogue|🕎menorah with nine branches|🕏bowl of hygieia|
🕐clock face one oclock|🕑clock face two oclock|🕒clock face three oclock|🕓clock face four oclock|🕔clock face five oclock|
🕕clock face six oclock|🕖clock face seven oclock|🕗clock face eight oclock|🕘clock face nine oclock|🕙clock face ten oclock|
🕚clock face eleven oclock|🕛clock face twelve oclock|🕜clock face one-thirty|🕝clock face two-thirty|🕞clock face three-thirty|
🕟clock face four-thirty|🕠clock face five-thirty|🕡clock face six-thirty|🕢clock face seven-thirty|🕣clock face eight-thirty|
🕤clock face nine-thirty|🕥clock face ten-thirty|🕦clock face eleven-thirty|🕧clock face twelve-thirty|🕨right speaker|
🕩right speaker with one sound wave|🕪right speaker with three sound waves|🕫bullhorn|🕬bullhorn with sound waves|🕭ringing bell|🕮book|
🕯candle|🕰mantelpiece clock|🕱skull and crossbones|🕲no piracy|🕳hole|🕴man in business suit levitating|🕵sleuth or spy|🕶dark sunglasses|
🕷spider|🕸spider web|🕹joystick|🕺man dancing|🕻left hand telephone receiver|🕼telephone receiver with page|
🕽right hand telephone receiver|🕾touchtone telephone|🕿touchtone telephone|🖀telephone on top of modem|🖁clamshell mobile phone|
🖂back of envelope|🖃stamped envelope|🖄envelope with lightning|🖅flying envelope|🖆pen over stamped envelope|🖇linked paperclips|
🖈pushpin|🖉lower left pencil|🖊lower left ballpoint pen|🖋lower left fountain pen|🖌lower left paintbrush|🖍lower left crayon|
🖎left writing hand|🖏turned ok hand|🖐raised hand with fingers splayed|🖑reversed raised hand with fingers splayed|
🖒reversed thumbs up|🖓reversed thumbs down|🖔reversed victory hand|🖕reversed hand with middle finger extended|
🖖raised hand with part between middle and ring fingers|🖗down pointing left hand index|🖘sideways white left pointing index|
🖙sideways white right pointing index|🖚sideways black left pointing index|🖛sideways black right pointing index|
🖜left pointing backhand index|🖝right pointing backhand index|🖞sideways white up pointing index|🖟sideways white down pointing index|
🖠sideways black up pointing index|🖡sideways black down pointing index|🖢up pointing backhand index|🖣down pointing backhand index|
🖤black heart|🖥desktop computer|🖦keyboard and mouse|🖧three networked computers|🖨printer|🖩pocket calculator|🖪hard shell floppy disk|
🖫hard shell floppy disk|🖬soft shell floppy disk|🖭tape cartridge|🖮wired keyboard|🖯one button mouse|🖰two button mouse|
🖱three button mouse|🖲trackball|🖳old personal computer|🖴hard disk|🖵screen|🖶printer icon|🖷fax icon|🖸optical disc icon|
🖹document with text|🖺document with text and picture|🖻document with picture|🖼frame with picture|🖽frame with tiles|🖾frame with an x|
🖿folder|🗀folder|🗁open folder|🗂card index dividers|🗃card file box|🗄file cabinet|🗅empty note|🗆empty note page|🗇empty note pad|🗈note|
🗉note page|🗊note pad|🗋empty document|🗌empty page|🗍empty pages|🗎document|🗏page|🗐pages|🗑wastebasket|🗒spiral note pad|
🗓spiral calendar pad|🗔desktop window|🗕minimize|🗖maximize|🗗overlap|🗘clockwise right and left semicircle arrows|🗙cancellation x|
🗚increase font size|🗛decrease font size|🗜compression|🗝old key|🗞rolled-up newspaper|🗟page with circled text|🗠stock chart|
🗡dagger knife|🗢lips|🗣speaking head in silhouette|🗤three rays above|🗥three rays below|🗦three rays left|🗧three rays right|
🗨left speech bubble|🗩right speech bubble|🗪two speech bubbles|🗫three speech bubbles|🗬left thought bubble|🗭right thought bubble|
🗮left anger bubble|🗯right anger bubble|🗰mood bubble|🗱lightning mood bubble|🗲lightning mood|🗳ballot box with ballot|
🗴ballot script x|🗵ballot box with script x|🗶ballot bold script x|🗷ballot box with bold script x|🗸light check mark|
🗹ballot box with bold check|🗺world map|🗻mount fuji|🗼tokyo tower|🗽statue of liberty|🗾silhouette of japan|🗿moyai|😀grin|
😁grinning face with smiling eyes|😂laughing with tears|😃big smile|😄smiling face with open mouth and smiling eyes|
😅smiling face with open mouth and cold sweat|😆smiling face with open mouth and tightly-closed eyes|😇smiling face with halo|
😈smiling face with horns|😉wink|😊smile|😋face savouring delicious food|😌relieved face|😍heart eyes|😎cool|😏smirking face|😐neutral face|
😑expressionless face|😒unamused face|😓face with cold sweat|😔pensive face|😕confused face|😖confounded face|😗kissing face|
😘face throwing a kiss|😙kissing face with smiling eyes|😚kissing face with closed eyes|😛face with stuck-out tongue|
😜face with stuck-out tongue and winking eye|😝face with stuck-out tongue and tightly-closed eyes|😞disappointed face|😟worried face|
😠angry face|😡pouting face|😢crying face|😣persevering face|😤face with look of triumph|😥disappointed but relieved face|
😦frowning face with open mouth|😧anguished face|😨fearful face|😩weary face|😪sleepy face|😫tired face|😬grimacing face|😭crying|
😮face with open mouth|😯hushed face|😰face with open mouth and cold sweat|😱face screaming in fear|😲astonished face|😳flushed face|
😴sleeping face|😵dizzy face|😶face without mouth|😷face with medical mask|😸grinning cat face with smiling eyes|
😹cat face with tears of joy|😺smiling cat face with open mouth|😻smiling cat face with heart-shaped eyes|😼cat face with wry smile|
😽kissing cat face with closed eyes|😾pouting cat face|😿crying cat face|🙀weary cat face|🙁slightly frowning face|🙂slight smile|
🙃upside-down face|🙄face with rolling eyes|🙅no gesture|🙆face with ok gesture|🙇person bowing deeply|🙈see no evil monkey|
🙉hear-no-evil monkey|🙊speak-no-evil monkey|🙋happy person raising one hand|🙌person raising both hands in celebration|
🙍person frowning|🙎person with pouting face|🙏folded hands|🚀rocket|🚁helicopter|🚂steam locomotive|🚃railway car|🚄high-speed train|
🚅high-speed train with bullet nose|🚆train|🚇metro|🚈light rail|🚉station|🚊tram|🚋tram car|🚌bus|🚍oncoming bus|🚎trolleybus|🚏bus stop|
🚐minibus|🚑ambulance|🚒fire engine|🚓police car|🚔oncoming police car|🚕taxi|🚖oncoming taxi|🚗automobile|🚘oncoming automobile|
🚙recreational vehicle|🚚delivery truck|🚛articulated lorry|🚜tractor|🚝monorail|🚞mountain railway|🚟suspension railway|
🚠mountain cableway|🚡aerial tramway|🚢ship|🚣rowboat|🚤speedboat|🚥horizontal traffic light|🚦vertical traffic light|🚧construction|
🚨police cars revolving light|🚩triangular flag on post|🚪door|🚫no entry|🚬smoking|🚭no smoking|🚮put litter in its place|🚯do not litter|
🚰potable water|🚱non-potable water|🚲bicycle|🚳no bicycles|🚴bicyclist|🚵mountain bicyclist|🚶pedestrian|🚷no pedestrians|
🚸children crossing|🚹mens|🚺womens|🚻restroom|🚼baby|🚽toilet|🚾water closet|🚿shower|🛀bath|🛁bathtub|🛂passport control|🛃customs|
🛄baggage claim|🛅left luggage|🛆triangle with rounded corners|🛇prohibited|🛈circled information source|🛉boys|🛊girls|🛋couch and lamp|
🛌sleeping accommodation|🛍shopping bags|🛎bellhop bell|🛏bed|🛐place of worship|🛑octagonal|🛒shopping trolley|🛓stupa|🛔pagoda|
🛕hindu temple|🛖hut|🛗elevator|🛝playground slide|🛞wheel|🛟ring buoy|🛠hammer and wrench|🛡shield|🛢oil drum|🛣motorway|🛤railway track|
🛥motor boat|🛦up-pointing military airplane|🛧up-pointing airplane|🛨up-pointing small airplane|🛩small airplane|
🛪northeast-pointing airplane|🛫airplane departure|🛬airplane arriving|🛰satellite|🛱oncoming fire engine|🛲diesel locomotive|
🛳passenger ship|🛴scooter|🛵motor scooter|🛶canoe|🛷sled|🛸flying saucer|🛹skateboard|🛺auto rickshaw|🛻pickup truck|🛼roller skate|
🟠large orange circle|🟡large yellow circle|🟢large green circle|🟣large purple circle|🟤large brown circle|🟥large red square|
🟦large blue square|🟧large orange square|🟨large yellow square|🟩large green square|🟪large purple square|🟫large brown square|
🤌pinched fingers|🤍white heart|🤎brown heart|🤏pinching hand|🤐zipper-mouth face|🤑money-mouth face|🤒face with thermometer|🤓nerd face|
🤔thinking face|🤕face with head-bandage|🤖robot face|🤗hugging face|🤘sign of the horns|🤙call me hand|🤚raised back of hand|
🤛left-facing fist|🤜right-facing fist|🤝handshake|🤞hand with index and middle fingers crossed|🤟i love you hand|🤠face with cowboy hat|
🤡clown face|🤢nauseated face|🤣rolling with laughter|🤤drooling face|🤥lying face|🤦face palm|🤧sneezing face|
🤨face with one eyebrow raised|🤩grinning face with star eyes|🤪grinning face with one large and one small eye|
🤫face with finger covering closed lips|🤬serious face with symbols covering mouth|
🤭smiling face with smiling eyes and hand covering mouth|🤮face with open mouth vomiting|🤯shocked face with exploding head|
🤰pregnant woman|🤱breast-feeding|🤲palms up together|🤳selfie|🤴prince|🤵man in tuxedo|🤶mother christmas|🤷shrug|🤸person doing cartwheel|
🤹juggling|🤺fencer|🤻modern pentathlon|🤼wrestlers|🤽water polo|🤾handball|🤿diving mask|🥀wilted flower|🥁drum with drumsticks|
🥂clinking glasses|🥃tumbler glass|🥄spoon|🥅goal net|🥆rifle|🥇first place medal|🥈second place medal|🥉third place medal|🥊boxing glove|
🥋martial arts uniform|🥌curling stone|🥍lacrosse stick and ball|🥎softball|🥏flying disc|🥐croissant|🥑avocado|🥒cucumber|🥓bacon|🥔potato|
🥕carrot|🥖baguette bread|🥗green salad|🥘shallow pan of food|🥙stuffed flatbread|🥚egg|🥛glass of milk|🥜peanuts|🥝kiwifruit|🥞pancakes|
🥟dumpling|🥠fortune cookie|🥡takeout box|🥢chopsticks|🥣bowl with spoon|🥤cup with straw|🥥coconut|🥦broccoli|🥧pie|🥨pretzel|🥩cut of meat|
🥪sandwich|🥫canned food|🥬leafy green|🥭mango|🥮moon cake|🥯bagel|🥰smiling face with smiling eyes and three hearts|🥱yawning face|
🥲smiling face with tear|🥳face with party horn and party hat|🥴face with uneven eyes and wavy mouth|🥵overheated face|🥶freezing face|
🥷ninja|🥸disguised face|🥹face holding back tears|🥺face with pleading eyes|🥻sari|🥼lab coat|🥽goggles|🥾hiking boot|🥿flat shoe|🦀crab|
🦁lion face|🦂scorpion|🦃turkey|🦄unicorn face|🦅eagle|🦆duck|🦇bat|🦈shark|🦉owl|🦊fox face|🦋butterfly|🦌deer|🦍gorilla|🦎lizard|🦏rhinoceros|
🦐shrimp|🦑squid|🦒giraffe face|🦓zebra face|🦔hedgehog|🦕sauropod|🦖t-rex|🦗cricket|🦘kangaroo|🦙llama|🦚peacock|🦛hippopotamus|🦜parrot|
🦝raccoon|🦞lobster|🦟mosquito|🦠microbe|🦡badger|🦢swan|🦣mammoth|🦤dodo|🦥sloth|🦦otter|🦧orangutan|🦨skunk|🦩flamingo|🦪oyster|🦫beaver|🦬bison|
🦭seal|🦮guide dog|🦯probing cane|🦰emoji component red hair|🦱emoji component curly hair|🦲emoji component bald|
🦳emoji component white hair|🦴bone|🦵leg|🦶foot|🦷tooth|🦸superhero|🦹supervillain|🦺safety vest|🦻ear with hearing aid|
🦼motorized wheelchair|🦽manual wheelchair|🦾mechanical arm|🦿mechanical leg|🧀cheese wedge|🧁cupcake|🧂salt shaker|🧃beverage box|🧄garlic|
🧅onion|🧆falafel|🧇waffle|🧈butter|🧉mate drink|🧊ice cube|🧋bubble tea|🧌troll|🧍standing person|🧎kneeling person|🧏deaf person|
🧐face with monocle|🧑adult|🧒child|🧓older adult|🧔bearded person|🧕person with headscarf|🧖person in steamy room|🧗person climbing|
🧘person in lotus position|🧙mage|🧚fairy|🧛vampire|🧜merperson|🧝elf|🧞genie|🧟zombie|🧠brain|🧡orange heart|🧢billed cap|🧣scarf|🧤gloves|
🧥coat|🧦socks|🧧red gift envelope|🧨firecracker|🧩jigsaw puzzle piece|🧪test tube|🧫petri dish|🧬dna double helix|🧭compass|🧮abacus|
🧯fire extinguisher|🧰toolbox|🧱brick|🧲magnet|🧳luggage|🧴lotion bottle|🧵spool of thread|🧶ball of yarn|🧷safety pin|🧸teddy bear|🧹broom|
🧺basket|🧻roll of paper|🧼bar of soap|🧽sponge|🧾receipt|🧿nazar amulet|🩰ballet shoes|🩱one-piece swimsuit|🩲briefs|🩳shorts|🩴thong sandal|
🩸drop of blood|🩹adhesive bandage|🩺stethoscope|🩻x-ray|🩼crutch|🪀yo-yo|🪁kite|🪂parachute|🪃boomerang|🪄magic wand|🪅pinata|🪆nesting dolls|
🪐ringed planet|🪑chair|🪒razor|🪓axe|🪔diya lamp|🪕banjo|🪖military helmet|🪗accordion|🪘long drum|🪙coin|🪚carpentry saw|🪛screwdriver|
🪜ladder|🪝hook|🪞mirror|🪟window|🪠plunger|🪡sewing needle|🪢knot|🪣bucket|🪤mouse trap|🪥toothbrush|🪦headstone|🪧placard|🪨rock|🪩mirror ball|
🪪identification card|🪫low battery|🪬hamsa|🪰fly|🪱worm|🪲beetle|🪳cockroach|🪴potted plant|🪵wood|🪶feather|🪷lotus|🪸coral|🪹empty nest|
🪺nest with eggs|🫀anatomical heart|🫁lungs|🫂people hugging|🫃pregnant man|🫄pregnant person|🫅person with crown|🫐blueberries|
🫑bell pepper|🫒olive|🫓flatbread|🫔tamale|🫕fondue|🫖teapot|🫗pouring liquid|🫘beans|🫙jar|🫠melting face|🫡saluting face|
🫢face with open eyes and hand over mouth|🫣face with peeking eye|🫤face with diagonal mouth|🫥dotted line face|🫦biting lip|🫧bubbles|
🫰hand with index finger and thumb crossed|🫱rightwards hand|🫲leftwards hand|🫳palm down hand|🫴palm up hand|
🫵index pointing at the viewer|🫶heart hands`
    .split(/\|\n?/)
    .map(entry => [String.fromCodePoint(entry.codePointAt(0)!), entry.slice(entry.codePointAt(0)! > 0xffff ? 2 : 1)]),
)
