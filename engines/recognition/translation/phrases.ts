/** Frequent phrases that Apertium's dictionaries translate wrongly, by mode. */

/** Whole phrases in lower case with their translations, by Apertium's mode (such as `eng-spa`). */
export const phrases: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'eng-spa',
    new Map(
      Object.entries({
        please: 'por favor',
        'thank you very much': 'muchas gracias',
        'thank you': 'gracias',
        'good morning': 'buenos días',
        'good afternoon': 'buenas tardes',
        'good evening': 'buenas noches',
        'good night': 'buenas noches',
        'how are you': 'cómo está',
        'what time is it': 'qué hora es',
        'last month': 'el mes pasado',
        'last week': 'la semana pasada',
        'last year': 'el año pasado',
        'next week': 'la semana próxima',
        'next month': 'el mes próximo',
        'next year': 'el año próximo',
        'a lot of': 'mucho',
        everyone: 'todos',
      }).sort(([one], [other]) => other.length - one.length),
    ),
  ],
])

/** Corrections for ambiguous words whose rare meaning Apertium chose: `para` as a form of `parir`
 *  (to give birth), `nada` as a form of `nadar` (to swim). */
const corrections: ReadonlyMap<string, readonly [wrong: RegExp, right: string][]> = new Map([
  [
    'spa-ita',
    [
      [/\bpartorisca\b/g, 'per'],
      [/\bPartorisca\b/g, 'Per'],
    ],
  ],
  [
    'es-fr',
    [
      [/\b(a|y a) il pas nage\b/g, '$1 rien'],
      [/\b(a|ai|as|avons|avez|ont) pas (\p{L}+) il nage\b/gu, '$1 rien $2'],
      [/\bil nage\b/g, 'rien'],
      [/\bIl nage\b/g, 'Rien'],
    ],
  ],
])

/** Returns a translated text with the wrong readings corrected. */
export function corrected(text: string, mode: string): string {
  return (corrections.get(mode) ?? []).reduce((current, [wrong, right]) => current.replace(wrong, right), text)
}
