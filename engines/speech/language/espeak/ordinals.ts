/** Rewrites ordinal and Roman numbers so that eSpeak NG reads them well. Most of these numbers are
 *  written with signs that eSpeak knows (`6º`); French ordinals become words. */
import type { ESpeakLanguage } from './words.ts'

/** Words before which `3°` is an angle or a temperature instead of an ordinal. */
const isMeasure = '[CFNSEWO]\\b|sotto|sopra|abaixo|acima|bajo|sobre|nord|sud|est|ovest|norte|sul|sur|leste|oeste|este'
const degreeAsOrdinal = new RegExp(`(?<!\\d)(\\d{1,2})°(?= ?(?!${isMeasure})\\p{L})`, 'gu')

export function withOrdinals(language: ESpeakLanguage, text: string): string {
  switch (language) {
    case 'fr':
      return (
        text
          .replace(/(?<![\p{L}\p{N}])1(er|re|ère)(?![\p{L}\p{N}])/gu, (_, end) => (end === 'er' ? 'premier' : 'première'))
          .replace(/(?<![\p{L}\p{N}.,])([2-9]|[1-9]\d)(?:e|è|eme|ème)(?![\p{L}\p{N}])/gu, (_, number) => inFrench(Number(number)))
          // Matches the Roman ordinals of centuries and kings. L and C are excluded, because `Le`
          // and `Ce` are French words.
          .replace(/(?<![\p{L}\p{N}])(X{0,2}(?:IX|IV|V?I{0,3}))(?:e|ème)(?![\p{L}\p{N}])/gu, (all, number) => {
            const value = romanValue(number)
            return value > 1 ? inFrench(value) : all
          })
          .replace(roman, all => String(romanValue(all)))
          .replace(ofRulers, all => String(romanValue(all)))
      )
    case 'es':
      return withSixths(text)
        .replace(/(?<!\d)([13])\.?er(?![\p{L}])/gu, (_, number) => (number === '1' ? 'primer' : 'tercer'))
        .replace(dotted, '$1')
    case 'it':
    case 'pt':
      return withSixths(text).replace(dotted, '$1').replace(degreeAsOrdinal, '$1º')
    case 'hi':
      return text
  }
}

/** Matches Roman numbers in French texts. eSpeak would say the word "romain" with each of them. L
 *  is excluded because it is also a clothes size. A number after a word in capitals is not matched,
 *  because it may be a part of a heading in capitals. */
const roman = /(?<=[\p{Ll}\d’'] )(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})(?![\p{L}\p{N}]|['’]\p{L})/gu
const rulers =
  'Charles|Carlos|Carlo|Philippe|Felipe|Filippo|Filipe|Henri|Enrique|Enrico|Henrique|Georges?|Jorge|Giorgio|Jean|Juan|Giovanni|João|Louis|Luis|Luigi|Luís|Pie|Pío|Pio|Paul|Pablo|Paolo|Paulo|Jacques|Jaime|Giacomo|Alphonse|Alfonso|Afonso|Clément|Clemente|Grégoire|Gregorio|Gregório|Léon|León|Leone|Leão|Isabelle?|Isabel|Élisabeth|Elisabetta|Napoléon|Napoleón|Napoleone|Napoleão|Pierre|Pedro|Pietro'
/** A single letter is a number only after the name of a ruler; elsewhere it means something else,
 *  as in "Malcolm X". */
const ofRulers = new RegExp(`(?<=(?<!\\p{L})(?:${rulers}) )[VX](?![\\p{L}\\p{N}])`, 'gu')

/** Replaces the Roman numbers that eSpeak misreads: it reads VI as a word and single letters by
 *  their names. */
function withSixths(text: string): string {
  return text.replace(/(?<=\p{Ll} )VI(?![\p{L}\p{N}])/gu, '6º').replace(ofRulers, all => `${romanValue(all)}º`)
}

const dotted = /(?<=\d)\.([ºª])/g

const small = `un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf`.split(
  ' ',
)
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante', 'quatre-vingt', 'quatre-vingt']

/** Returns the French ordinal in words for 2 to 99. */
function inFrench(number: number): string {
  if (number < 20) return ended(small[number - 1]!)
  const ten = Math.floor(number / 10)
  // In French, the numbers from 70 to 79 and from 90 to 99 count on from 60 and 80 (`soixante-dix`,
  // `quatre-vingt-dix`).
  const rest = number - (ten === 7 || ten === 9 ? ten - 1 : ten) * 10
  if (rest === 0) return ended(tens[ten]!)
  const joint = (rest === 1 || rest === 11) && ten < 8 ? '-et-' : '-'
  return tens[ten]! + joint + ended(small[rest - 1]!)
}

function ended(cardinal: string): string {
  if (cardinal.endsWith('cinq')) return `${cardinal}uième`
  if (cardinal.endsWith('neuf')) return `${cardinal.slice(0, -1)}vième`
  return `${cardinal.replace(/e$/, '')}ième`
}

function romanValue(number: string): number {
  const values = Array.from(number, letter => ({ I: 1, V: 5, X: 10 })[letter] ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}
