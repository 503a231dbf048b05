import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { assertFacts } from './testing/facts.ts'

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [prompt, facts] of rows) assertFacts(parsePrompt(prompt, { seed: '1' }), facts)
}

test('counts are read from numbers, words, pairs, groups and plurals', () => {
  check([
    ['a dog', '1 dog'],
    ['three cats', '3 cat'],
    ['4 pink pigs', '4 pig'],
    ['twenty-five sheep', 'sheep'],
    ['a dozen penguins', '12 penguin'],
    ['half a dozen eggs', '6 egg'],
    ['a pair of horses', '2 horse'],
    ['a couple of ducks', '2 duck'],
    ['several balloons', '3 balloon'],
    ['dozens of birds', '24 bird'],
    ['hundreds of butterflies', '40 butterfly'],
    ['a flock of sheep', '7 sheep'],
    ['a group of five friends', '5 friend'],
    ['two dozen eggs', '24 egg'],
    ['a herd of elephants', '7 elephant'],
    ['a school of fish', '7 fish'],
    ['a swarm of bees', '9 bee'],
    ['a pack of wolves', '5 wolf'],
    ['frogs', '3 frog'],
    ['children playing', '3 child; child playing'],
    ['2boys, park', '2 boy; @park'],
    ['a thousand cranes', '60 crane'],
    ['99999 ants', '60 ant'],
  ])
})

test('a colour belongs to the noun after it, and natural colours are not changed', () => {
  check([
    ['a red car and a blue house', 'car is red; house is blue'],
    ['a red fox', 'fox is natural'],
    ['a blue fox', 'fox is blue'],
    ['an orange cat', 'cat is natural'],
    ['a green cat', 'cat is green'],
    ['a navy blue boat', 'boat is navy'],
    ['a light green frog', 'frog is light green'],
    ['a #ff8800 balloon', 'balloon is #ff8800'],
    ['an orange on a plate', 'orange'],
    ['a rose', 'rose'],
    ['a rose dress on a chair', 'chair'],
    ['a black and white cow', 'cow is black'],
    ['The cat is black and the dog is white.', 'cat is black; dog is white'],
    ['a horse and a cow in a field, the horse is black, the cow is brown', 'horse is black; cow is brown; 1 horse; 1 cow'],
    ['two yellow birds on a blue branch', 'bird is yellow; branch is blue; bird on branch'],
    ['a turquoise vase with white tulips', 'vase is turquoise; tulip is white; tulip in vase'],
    ['a polar bear', 'polar bear is natural'],
    ['a black cat', 'black cat is black'],
    ['a woman in red', 'woman clothes dress #d32f2f'],
    ['a city street, teal and orange color palette', '@street; place teal; place orange'],
    ['a purple elephant', 'elephant is purple'],
    ['a golden crown', 'crown looks golden'],
  ])
})

test('sizes, materials, patterns and conditions become looks', () => {
  check([
    ['a tiny mouse', 'mouse size tiny'],
    ['a giant turtle', 'turtle size huge'],
    ['a small boat', 'small boat size small'],
    ['a striped cat', 'cat looks striped'],
    ['a spotted dog', 'dog looks spotted'],
    ['a glass apple', 'apple looks glass'],
    ['a rusty robot', 'robot looks rusty'],
    ['a bear made of ice', 'bear looks ice'],
    ['a horse made of gold', 'horse looks golden; horse is gold'],
    ['a guitar made of tulips', 'guitar looks made of noto:tulip'],
    ['a lego teapot', 'teapot looks lego'],
    ['a burning castle', 'castle looks burning'],
    ['an abandoned spaceship', 'spaceship looks abandoned'],
    ['a fluffy rabbit', 'rabbit looks furry'],
    ['a happy dog', 'dog looks happy'],
    ['an old tractor', 'tractor looks old'],
    ['a big, red, shiny ball', 'ball size large; ball is red; ball looks shiny'],
  ])
})

test('-ing words are poses, also base forms after a subject, but nouns stay nouns', () => {
  check([
    ['a dog running in a field', 'dog running'],
    ['a sleeping cat', 'cat sleeping'],
    ['a cat that sleeps on a sofa', 'cat sleeping; cat on sofa'],
    ['two girls dancing', 'girl dancing; 2 girl'],
    ['an owl perched on a branch', 'owl standing; owl on branch'],
    ['a boy jumps over a fence', 'boy jumping; boy above fence'],
    ['a swimming duck', 'duck swimming; duck lives water-surface'],
    ['an eagle soaring above the mountains', 'eagle flying; eagle lives air'],
    ['a man fishing from a boat', 'man fishing; man in boat'],
    ['five fish', '5 fish'],
    ['a tall building', 'building'],
    ['a panda eating bamboo', 'panda eating; panda holding bamboo'],
    ['a wolf howling at the full moon', 'wolf singing; night; @hills'],
    ['a kneeling knight', 'knight kneeling'],
    ['a man walking a dog', 'man walking; dog beside man'],
    ['a train crossing a bridge', 'train on bridge'],
  ])
})

test('relations link the right things', () => {
  check([
    ['a cat on a sofa', 'cat on sofa; @room'],
    ['a cat under a table', 'cat under table; @room'],
    ['a dog behind a tree', 'dog behind tree'],
    ['a tree in front of a house', 'tree in-front-of house'],
    ['a lamp next to a chair', 'lamp beside chair'],
    ['a ball between a dog and a cat', 'ball between dog and cat'],
    ['a dog and a cat, a red ball between them', 'ball between dog and cat'],
    ['birds above a castle', 'bird above castle'],
    ['an astronaut riding a horse', 'astronaut riding horse; astronaut riding'],
    ['a monkey riding on the back of a tiger', 'monkey riding tiger'],
    ['a girl holding a balloon', 'girl holding balloon'],
    ['a boy with an umbrella', 'boy holding umbrella'],
    ['a boy holding a sword and a shield', 'boy holding sword; boy holding shield'],
    ['a dog chasing a ball', 'dog chasing ball'],
    ['a castle surrounded by trees', 'tree around castle'],
    ['a cake with candles', 'candle on cake; 3 candle'],
    ['a woman with a cat', 'cat beside woman'],
    ['an old sailor with a parrot on his shoulder', 'parrot on sailor'],
    ['a parrot to the left of a cage', 'parrot left-of cage'],
    ['five balloons behind a cake', 'balloon behind cake'],
    ['a birthday cake on a table, five balloons behind it', 'balloon behind birthday cake; 5 balloon'],
    ['three apples, two pears and a banana in a basket', 'apple in basket; pear in basket; banana in basket'],
    ['a cat sleeping on a sofa and a dog running', 'cat sleeping; dog running; cat on sofa; !dog on sofa'],
    ['A mouse on top of a piece of cheese, a cat behind the cheese', 'mouse on cheese; cat behind cheese; 1 cheese'],
    ['a giraffe wearing sunglasses', 'giraffe wears sunglasses'],
    ['a knight fighting a dragon', 'knight facing dragon'],
  ])
})

test('people have age, gender, hair, clothes and things worn', () => {
  check([
    ['a little girl with long red hair', 'girl age child; girl gender woman; girl hair long; girl hair #b5482a'],
    ['an old man with a white beard', 'old man age elder; old man gender man; old man beard'],
    ['a young woman', 'young woman age adult'],
    ['a blonde woman in a red dress', 'woman hair #e8c874; woman clothes dress #d32f2f'],
    ['a man in a black suit and a woman in a white dress', 'man clothes suit #1c1c1e; woman clothes dress #f7f7f5; !man clothes dress'],
    ['a boy wearing a green hat and red boots', 'boy wears hat #43a047; boy clothes boots #d32f2f'],
    ['a girl in a yellow raincoat', 'girl clothes coat #fdd835'],
    ['an old wizard with a long beard', 'wizard age elder; wizard beard'],
    ['a corgi wearing sunglasses and a hat on a surfboard', 'corgi wears sunglasses; corgi wears hat; corgi on surfboard'],
    ['a bearded fisherman', 'fisherman beard; fisherman role fisherman'],
    ['a bald man with glasses', 'man hair bald; man wears glasses'],
    ['a woman with curly black hair and glasses', 'woman hair curly; woman hair #1d1a1c; woman wears glasses'],
    ['a chef in a white hat', 'chef role chef; chef wears hat #f7f7f5'],
    ['1girl, solo, silver hair, kimono, night', 'girl hair #c9ccd3; girl clothes kimono; night'],
    ['a businessman in a blue suit with a red tie', 'businessman clothes suit #1e66d0; businessman wears tie #d32f2f'],
    ['a black woman with an afro', 'woman skin #6b4229; woman hair afro'],
    ['a knight in shining armor', 'knight clothes armour; knight role knight'],
    ['two firefighters', '2 firefighter; firefighter role firefighter'],
    ['a man and a woman dancing', 'man dancing; woman dancing'],
  ])
})

test('English words for places in the frame', () => {
  check([
    ['a dog on the left and a cat on the right', 'dog at left; cat at right'],
    ['a balloon in the top left corner', 'balloon at top; balloon at left'],
    ['a boat in the bottom right corner', 'boat at bottom; boat at right'],
    ['a castle in the background', 'castle at far; castle behind all'],
    ['In the background, a castle. A dog in the foreground.', 'castle at far; dog at near'],
    ['On the left a lamp, on the right a chair', 'lamp at left; chair at right'],
    ['a tree in the center', 'tree at center'],
    ['mountains in the distance behind a lake', 'mountain at far; @lake'],
  ])
})

test('the setting is read from the named place, or inferred from the things', () => {
  check([
    ['a fox in the forest', '@forest'],
    ['a crab on the beach', '@beach'],
    ['a snowy village', '@village; winter; place snow'],
    ['a cat on a rooftop in New York', '@rooftop'],
    ['neon city street at night', '@street; place neon; night'],
    ['a desert', '@desert'],
    ['a kitchen with a table', '@kitchen; table'],
    ['an astronaut on the moon', '@moon; !moon'],
    ['a rover on mars', '@planet; place red'],
    ['a cup on a wooden table', '@table; place wooden'],
    ['coffee on a table by the window', '@window-table'],
    ['a whale', '@underwater'],
    ['a cake', '@table'],
    ['a car', '@street'],
    ['a planet', '@space'],
    ['a sofa', '@room'],
    ['a penguin', '@snowfield'],
    ['a camel', '@desert'],
    ['a cow', '@farm'],
    ['a sailboat', '@sea'],
    ['a king', '@castle-grounds'],
    ['a doctor', '@hospital'],
    ['a train', '@railway'],
    ['a woman, pink background', '@backdrop; place is pink'],
    ['an apple on a plain white background', '@backdrop; place is white'],
    ['red room', '@room; place is red'],
    ['sunset', '@hills; sunset'],
    ['above the clouds', '@sky'],
    ['mountains at dawn', '@mountains; dawn'],
    ['a turtle swimming underwater', '@underwater; turtle swimming'],
    ['a park bench', '@park; park bench'],
    ['a lighthouse on a cliff above a stormy sea', '@sea; storm; lighthouse on cliff'],
    ['a knight in front of a castle', '@hills; knight in-front-of castle'],
    ['a corgi on a surfboard', '@beach; corgi on surfboard'],
    ['a field of tulips', '@field; 12 tulip'],
  ])
})

test('English words for time, season and weather', () => {
  check([
    ['a house at night', 'night'],
    ['a lake at dawn', 'dawn'],
    ['a street in the evening', 'dusk'],
    ['a beach at golden hour', 'afternoon'],
    ['a meadow', 'day; summer; clear'],
    ['autumn forest', 'autumn'],
    ['a park in winter', 'winter'],
    ['a cherry tree', 'spring'],
    ['a rainy street', 'rain'],
    ['a ship in a thunderstorm', 'storm; lightning'],
    ['a foggy lake', 'fog'],
    ['a dog in the snow', 'snow; winter; @snowfield'],
    ['a village under the northern lights', 'aurora; night'],
    ['a rainbow over a farm', 'rainbow; @farm'],
    ['a windy hill', 'wind'],
    ['a cloudy sky over a field', 'cloudy; @field'],
    ['a sunny day at the beach', 'clear; day'],
    ['a castle under a starry sky', 'night; place stars'],
  ])
})

test('styles have many names, and a photograph is reported as not drawn', () => {
  check([
    ['a fox, watercolor', 'style watercolor; @forest'],
    ['oil painting of a ship', 'style oil; ship'],
    ['a castle in the style of Van Gogh', 'style impressionist'],
    ['8-bit dragon', 'style pixel; dragon'],
    ['ukiyo-e wave', 'style ukiyo-e'],
    ['pencil sketch of an elephant', 'style sketch; elephant'],
    ['studio ghibli village', 'style anime'],
    ['a comic book superhero', 'style comic'],
    ['black and white photo of a train', 'style noir'],
    ['pop art banana', 'style pop-art'],
    ['low poly mountain', 'style low-poly'],
    ['a stained glass window of a rose', 'style stained-glass'],
    ['claymation dog', 'style clay'],
    ['paper cut deer', 'style paper-cut'],
    ['minimalist vector logo of a rocket', 'style flat'],
    ['a car, photorealistic', 'style photo; undrawn photorealistic'],
    ['a cat', 'style illustration'],
    ['a cinematic shot of a knight', 'style cinematic'],
    ['a vintage travel poster', 'style vintage'],
    ['chalk drawing of a house', 'style chalk'],
    ['mosaic of a fish', 'style mosaic'],
    ['ink drawing of a crane', 'style ink'],
    ['pastel colors, a bunny', 'style pastel'],
    ['synthwave car', 'style synthwave'],
  ])
})

test('English words for mood and camera', () => {
  check([
    ['a dreamy lake', 'mood dreamy'],
    ['a spooky house', 'mood spooky'],
    ['a vibrant market', 'mood vivid'],
    ['close-up of a bee', 'framing close-up; bee'],
    ['close-up portrait of a woman', 'framing close-up'],
    ['portrait of a king', 'framing medium; king'],
    ['wide shot of a valley', 'framing wide'],
    ['panoramic view of a city', 'framing panorama'],
    ['aerial view of an island', 'angle aerial; @island'],
    ['top view of a pizza', 'angle top'],
    ['a low angle shot of a tower', 'angle low'],
    ['a flower, bokeh', 'bokeh'],
  ])
})

test('lettering is read with and without quotes', () => {
  check([
    ['a sign that says "OPEN"', 'text OPEN on sign; sign'],
    ['a wooden sign reading "Welcome home" next to a road', 'text Welcome home; @road'],
    ['a sign that says STOP', 'text STOP on sign'],
    ['a poster with the text "Jazz Night"', 'text Jazz Night'],
    ['a cake with the words “Happy Birthday”', 'text Happy Birthday on cake'],
    ['a robot reading a book', 'robot reading; robot holding book'],
  ])
})

test('a negation removes things and never adds them', () => {
  check([
    ['a beach, no people', '@beach; !person; !people'],
    ['a sky without clouds over a desert', 'clear; !cloudy'],
    ['a street with no cars', '@street; !car'],
    ['a park without people, dogs or cars', '@park; !dog; !car'],
    ['a dog without a collar, in the snow', 'dog; snow'],
  ])
})

test('a negative prompt removes subjects, weather, colours and styles', () => {
  const scene = parsePrompt('a red car and a dog in the rain, oil painting', { seed: '1', negativePrompt: 'dog, rain, red' })
  assertFacts(scene, 'car; !dog; !rain; car is natural; style oil')
  assertFacts(parsePrompt('a man and a horse', { seed: '1', negativePrompt: 'people' }), 'horse; !man')
})

test('words that cannot be drawn are returned as written, but praise is not', () => {
  check([
    ['a zibble on a table', 'undrawn zibble'],
    ['a zany cat', 'cat; undrawn zany'],
    ['a bamboo zorkel', 'undrawn bamboo zorkel'],
    ['a castle with a red roof', 'castle; undrawn red roof'],
    ['a candy machine', 'undrawn candy machine (drawn as machine)'],
    ['masterpiece, best quality, 8k, castle', 'castle; !undrawn masterpiece; !undrawn 8k'],
    ['a bird with wings', 'bird; !undrawn wings'],
  ])
})

test('prompts without a thing become abstract pictures', () => {
  check([
    ['abstract composition of teal and orange', '@abstract; place teal; place orange'],
    ['blue and gold', '@abstract; place is blue'],
    ['', '@abstract'],
    ['???', '@abstract'],
    ['geometric shapes, vivid colors', '@abstract; mood vivid'],
  ])
})

test('several sentences describe one scene', () => {
  check([
    ['A boy runs through a field. The sun is setting behind them.', 'boy running; @field; sunset'],
    ['A cat. Sitting on a sofa. Watercolor.', 'cat sitting; cat on sofa; style watercolor'],
    ['pine trees beneath a sky painted in shades of orange and pink', 'pine tree is natural; sunset'],
    ['a robot chef cooking pancakes', 'robot; undrawn robot chef (drawn as robot)'],
    ['a night market', '@market; night'],
    [
      'a dog and a cat. The dog is sitting on a red carpet. The cat is sleeping under the table.',
      'dog sitting; cat sleeping; cat under table; 1 dog; 1 cat; @room',
    ],
    [
      'A boy is flying a kite on the beach while a girl builds a sandcastle.',
      'boy holding kite; girl; sandcastle in-front-of girl; @beach',
    ],
    ['a boy flying his kite', 'boy holding kite; @meadow'],
    ['three kids flying kites in the park', '3 kid; kid holding kite; @park'],
    ['two foxes fly their colorful kites on a hill', '2 fox; fox holding kite; @hills'],
    ['a couple walking under one red umbrella', 'couple walking; couple holding umbrella'],
    ['people sitting under an umbrella on the beach', 'person sitting; person under umbrella; @beach'],
    ['a wet street with neon signs', '@street; place wet; place neon; night'],
    ['a street with three neon signs that say OPEN', '3 neon sign; @street'],
    ['a woman reading a book on a park bench', 'woman reading; woman holding book; woman on park bench; @park'],
    ['a girl reading on a bench', 'girl reading; girl on bench; @park'],
    ['two people reading on a deck chair', 'person on deck chair; @beach'],
    ['a boy sleeping in a hammock', 'boy sleeping; boy on hammock; @park'],
    ['children singing around a campfire', '@forest'],
    ['a man reading in an armchair', '@room'],
    ['a dog surfing', 'dog riding surfboard; @sea'],
    ['a penguin surfing a big wave', 'penguin riding surfboard; penguin in-front-of wave; @sea'],
    ['kites flying over the beach', 'kite; @beach'],
    ['a beach with flying kites', 'kite flying; @beach'],
    ['an owl, a fox and a rabbit having a tea party', 'owl; fox; rabbit; 1 tea'],
    ['two cups of tea, a teapot and a plate of cookies on a round table by the window', '2 tea; teapot; cookie; @window-table'],
  ])
})
