import type { Token } from './tokens.ts'

interface LanguagePart {
  language: 'en' | 'zh'
  tokens: Token[]
}

/** Divides a prompt into parts that are English or Chinese. The language of a sentence is that of
 *  most of its words; neighbouring sentences of the same language form one part. */
export function splitByLanguage(tokens: readonly Token[]): LanguagePart[] {
  const parts: LanguagePart[] = []
  let sentence: Token[] = []
  const close = () => {
    if (sentence.length === 0) return
    const language = grammarOf(sentence)
    const last = parts.at(-1)
    if (last?.language === language) last.tokens.push(...sentence)
    else parts.push({ language, tokens: sentence })
    sentence = []
  }
  for (const token of tokens) {
    sentence.push(token)
    if (token.kind === 'punctuation' && /^[.;!?。；！？]$/.test(token.text)) close()
  }
  close()
  return parts
}

/** Returns the language whose grammar a sentence has. Function words count three times as much as
 *  others, so "a cute 猫 on a 沙发" is an English sentence with two Chinese nouns. */
function grammarOf(sentence: readonly Token[]): 'en' | 'zh' {
  let chinese = 0
  let english = 0
  for (const token of sentence) {
    if (token.kind !== 'word') continue
    const isFunction = ['de', 'at', 'localizer', 'measure', 'have', 'article', 'in', 'of', 'relation', 'with'].some(kind =>
      token.senses.some(sense => sense.kind === kind),
    )
    const weight = isFunction ? 3 : 1
    if (token.language === 'zh') chinese += weight
    else english += weight
  }
  return chinese > english ? 'zh' : 'en'
}
