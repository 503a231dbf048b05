/** Idioms for pouring without a person ("tea being poured into a cup"). One drawing shows all of
 *  it: the vessel in the air, the liquid, and the vessel below. When a person pours,
 *  `people-relations.ts` puts both vessels into the hands. */

const some = '(?:hot |boiling |cold |fresh |some |red |white ){0,2}'
const drink = '(tea|coffee|water|milk|juice|wine|beer)'
const a = '(?:an? |the )?'
const kind = '(?:[a-z]{3,12} ){0,2}'
const into = `(?:in)?to ${a}${kind}(?:teacup|cup|mug|wine glass|glass|tumbler)`
const pours = '(?:that is |which is )?(?:pouring|pours)'
const start = '(?:^|(?<=[,.;:] )|(?<=\\bof ))'

export const pouringIdioms: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b${a}(${kind})(?:tea ?)?kettle ${pours} ${some}water ${into}\\b`, 'gi'), 'a $1poured hot water'],
  [
    new RegExp(
      `\\b${a}(${kind})(?:teapot|kettle|coffee ?pot|jug|pitcher|carafe|bottle)(?: of [a-z]{3,8})? ${pours} ${some}${drink} ${into}\\b`,
      'gi',
    ),
    'a $1poured $2',
  ],
  [
    new RegExp(
      `\\b${some}${drink} (?:that is |is )?(?:being )?poured (?:from ${a}${kind}(?:teapot|kettle|pot|jug|pitcher|carafe|bottle) )?${into}\\b`,
      'gi',
    ),
    'a poured $1',
  ],
  // A title without a person: "pouring milk into a glass".
  [new RegExp(`${start}pouring ${some}${drink} ${into}\\b`, 'gi'), 'a poured $1'],
]
