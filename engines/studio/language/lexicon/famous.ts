import type { PersonLook } from '../../scene.ts'

/** The typical appearance of a famous or fictional person. The engine draws no likenesses: it
 *  reports the name as not drawn, and draws an anonymous person with this appearance. */
interface FamousLook {
  /** The word for a person that is drawn in place of the name. */
  base: string
  hair?: NonNullable<PersonLook['hair']>
  beard?: boolean
  skin?: string
  clothes?: PersonLook['clothes']
  wears?: PersonLook['wears']
}

type HairStyle = NonNullable<NonNullable<PersonLook['hair']>['style']>
const styles: readonly HairStyle[] = ['short', 'long', 'curly', 'bald', 'bun', 'ponytail', 'bob', 'afro']

/** One row for each appearance: names | base (with `dark` for dark skin) | hair colour and style |
 *  `beard` or `moustache` | clothes | things worn on the head or face. */
const rows = `
mona lisa, la gioconda, la joconde, 蒙娜丽莎 | woman | #3a2618 long | | dress #4a4a2c |
virgin mary, madonna, mother mary, 圣母玛利亚 | woman | | | robe #3b62a8 | hijab #3b62a8
girl with a pearl earring | young woman | | | robe #8a6a3a | hijab #4a7fc0
salvador dali, salvador dalí, dali, dalí, 达利 | man | #1d1a1c short | moustache | suit #2e3444 |
frida kahlo | woman | #1d1a1c bun | | dress #a8323a | flower-crown #e2506b
vincent van gogh, van gogh | man | #c9641f short | beard | jacket #3f5f94 | straw-hat #e6c46e
leonardo da vinci, da vinci, michelangelo, galileo, archimedes | old man | #d8d8d6 long | beard | robe #6b3a3a | beret #3a2c38
albert einstein, einstein, 爱因斯坦 | old man | #eeeeec afro | moustache | sweater #7d6b57 |
isaac newton, newton, johann sebastian bach, bach, mozart, beethoven, george washington, thomas jefferson, benjamin franklin | man | #e4e3e2 curly | | coat #6b2f3a |
marie curie, jane austen, florence nightingale | woman | #3d2618 bun | | dress #2f2f3a |
shakespeare, william shakespeare | man | #5b3820 bald | beard | coat #3a2c38 |
charles darwin, karl marx, socrates, plato, aristotle, homer, zeus, poseidon, moses, leo tolstoy | old man | #e4e3e2 curly | beard | robe #e8e2d2 |
hercules, achilles, odysseus, julius caesar, caesar, augustus | man | #3d2618 curly | | robe #eeeae0 | crown #c9a63a
venus, aphrodite, athena, helen of troy | woman | #d8a65c long | | robe #f1ece0 |
cleopatra, nefertiti | queen | #1d1a1c bob | | dress #f4efe6 | crown #f2c230
tutankhamun, ramses | king | #1d1a1c short | | robe #f4efe6 | crown #f2c230
jesus, jesus christ | man | #5b3820 long | beard | robe #f1ece0 |
confucius, laozi, 孔子, 老子 | old man | #e4e3e2 bun | beard | robe #8c6239 |
napoleon, napoleon bonaparte, 拿破仑 | man | #3d2618 short | | coat #2b4a7d | pirate-hat #26222b
abraham lincoln, lincoln, abe lincoln, 林肯 | man | #2b1d16 short | beard | suit #23222b | top-hat #23202c
winston churchill, charlie chaplin, chaplin | man | #2b1d16 short | moustache | suit #23222b | bowler-hat #23202c
gandhi, mahatma gandhi | old man | #e4e3e2 bald | moustache | robe #f7f4ea | glasses #3a3a44
nelson mandela, martin luther king, barack obama, obama | man dark | #2b1d16 short | | suit #2e3444 |
donald trump, trump, joe biden, bill gates, steve jobs, elon musk, vladimir putin, boris johnson | man | #c9a66b short | | suit #2e3444 |
queen elizabeth, queen victoria, queen elizabeth ii | queen | #e4e3e2 curly | | |
elvis presley, elvis | singer | #1d1a1c short | | suit #f4efe6 |
michael jackson, prince rogers nelson, freddie mercury, david bowie, john lennon, bob dylan, taylor swift, beyonce, lady gaga, adele, rihanna | singer | | | |
marilyn monroe | woman | #e8c874 curly | | dress #f7f4ea |
audrey hepburn | woman | #2b1d16 bun | | dress #23222b | sunglasses #22222a
bruce lee, jackie chan | man | #1d1a1c short | | jacket #f2c230 |
lionel messi, messi, cristiano ronaldo, ronaldo, pele, maradona, david beckham | footballer | | | |
michael jordan, lebron james, kobe bryant, yao ming | basketball player | | | |
serena williams, roger federer, rafael nadal | tennis player | | | |
muhammad ali, mike tyson | boxer | | | |
neil armstrong, buzz aldrin, yuri gagarin | astronaut | | | |
superman, wonder woman, captain america, iron man, thor, supergirl, hulk, 超人 | superhero | | | |
spiderman, spider-man, spider man, 蜘蛛侠 | superhero | | | | ninja-hood #c8202a
batman, batgirl, catwoman, 蝙蝠侠 | superhero | | | shirt #3a3a44 | ninja-hood #23222b
gandalf, dumbledore, merlin, saruman, 甘道夫 | wizard | #e4e3e2 long | beard | robe #9a9a9c | wizard-hat #8a8a90
harry potter, 哈利波特 | boy | #1d1a1c short | | robe #23222b | glasses #3a3a44
hermione, hermione granger | girl | #5b3820 curly | | robe #23222b |
frodo, bilbo baggins, hobbit, legolas | young man | #5b3820 curly | | coat #4a6a3f |
darth vader | knight | | | armour #23222b | ninja-hood #23222b
luke skywalker, obi-wan kenobi, jedi | man | #a86a32 short | | robe #c9b48a |
princess leia | princess | #3d2618 bun | | dress #f4f2ec |
sherlock holmes, hercule poirot, columbo | detective | | | |
james bond | businessman | #2b1d16 short | | suit #23222b |
indiana jones | hiker | #5b3820 short | | jacket #6b4a32 | fedora #6b4a32
robin hood, william tell, katniss | archer | | | |
peter pan | boy | #a86a32 short | | shirt #4a8f4a | feather-cap #4a8f4a
alice in wonderland, alice | girl | #e8c874 long | | dress #6fa3d8 | ribbon #23222b
red riding hood, little red riding hood, 小红帽 | girl | #5b3820 ponytail | | cape #c8202a |
snow white, 白雪公主 | princess | #1d1a1c bob | | dress #f2c230 | ribbon #c8202a
cinderella, sleeping beauty, elsa, rapunzel, 灰姑娘, 艾莎 | princess | #e8c874 long | | dress #8fc1e8 |
mulan, 花木兰 | young woman | #1d1a1c bun | | kimono #4a9b7f |
king arthur, lancelot, joan of arc, don quixote | knight | | | |
dracula, count dracula | vampire | | | |
captain hook, jack sparrow, blackbeard | pirate | | | |
marco polo, christopher columbus, columbus, captain cook | sailor | | | |
genghis khan, attila | viking | | beard | |
sun wukong, 孙悟空 | man | #c9641f short | | robe #f2c230 | crown #f2c230
bruce wayne, clark kent, peter parker, walter white, tony stark | man | #2b1d16 short | | suit #2e3444 | glasses #3a3a44
`

/** Appearances by name; all names in a row have the same one. */
export const famousLooks: ReadonlyMap<string, FamousLook> = new Map(rows.trim().split('\n').flatMap(parseRow))

/** Rows in the format of `aliasRows`: each name is drawn as the person of its `base`. */
export const famousAliases = [...famousLooks].map(([name, { base }]) => `${name} > ${name} | ${base}`).join('\n')

function parseRow(line: string): [string, FamousLook][] {
  const [names = '', base = '', hair = '', beard = '', clothes = '', wears = ''] = line.split('|').map(cell => cell.trim())
  const [colour, style] = hair.split(' ')
  const look: FamousLook = {
    base: base.replace(/ dark$/, ''),
    ...(colour ? { hair: { colour, ...(isStyle(style) ? { style } : {}) } } : {}),
    ...(beard === 'beard' ? { beard: true } : {}),
    ...(/ dark$/.test(base) ? { skin: '#6b4229' } : {}),
    ...(clothes === '' ? {} : { clothes: [pair(clothes)] }),
    ...(wears === '' && beard !== 'moustache'
      ? {}
      : {
          wears: [
            ...(wears === '' ? [] : [pair(wears)]),
            ...(beard === 'moustache' ? [{ kind: 'moustache', colour: colour ?? '#2b1d16' }] : []),
          ],
        }),
  }
  return names.split(',').map(name => [name.trim().replaceAll('-', ' '), look])
}

function pair(cell: string): { kind: string; colour?: string } {
  const [kind = '', colour] = cell.split(' ')
  return { kind, ...(colour ? { colour } : {}) }
}

function isStyle(word: string | undefined): word is HairStyle {
  return styles.some(style => style === word)
}
