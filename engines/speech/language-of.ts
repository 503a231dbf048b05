/** Detects the language of a text: by its script, and for Latin letters by common words and by
 *  letters that few languages use. */

/** Scripts, each with the language that is assumed for a text in it. Several languages use the
 *  Cyrillic, Arabic or Devanagari script; the result is then at least a language in the right
 *  script. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
]

/** The most common words of each language; a word that several languages share counts less. */
const smallWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordsOf(`the and of to is that it you was for on are with his they at be this have from or had by not but what were we when your said
    there which she do how their if will a an in i me my him her our us he its has been would could should can may one two all no so up out
    about who than then them these those into only over also after before because through where while very just any more most other some
    such here now well never always again am did does as too first good please yes`),
  es: wordsOf(`el los las y es una por con para su lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también hasta hay
    donde quien desde todo nos durante estados uno ni contra ese la a en de que se no un al del me te mi tu estos estas esa eso fue era eran ha
    han he había ser son estar está están estaba tiene tengo hacer hace hacía puede quiero si nunca siempre ayer hoy mañana noche día todos
    toda todas otro otra bien mal gracias favor qué cómo cuál les después antes ahora aquí allí vez dos tres mientras mucho mucha tan`),
  fr: wordsOf(`le les et est une pour dans qui des du pas sur au avec sont il elle ce cette nous vous ils mais ou où leur plus je ne aux été être
    avoir fait comme tout très la de à en un se que a ont était étaient avait avaient fut son sa ses mon ma mes ton ta tes notre votre leurs
    lui elles on y d l c j m n s t qu si quand comment pourquoi ici là bien jamais toujours hier demain matin soir chez entre sous après avant
    aussi même peu trop deux trois autre autres cet ces faire faisait peux peut veux tous toute toutes tu te me sans cela dont parce`),
  it: wordsOf(`il gli è di che e per una con non sono della del dei delle alla nel ha si più come anche ma questo questa molto essere stato hanno
    perché la le lo i a in da su al allo ai alle dal dalla nella nei sul sulla un uno mio mia miei tuo suo sua suoi nostro ci vi mi ti lui lei
    noi voi loro era erano fu ho hai abbiamo avete sei siamo fare fatto faceva può vuole vorrei se quando dove già mai sempre ieri oggi domani
    sera mattina notte giorno tutto tutti tutta tutte ogni altro altra dopo prima poi ora qui così bene molta due tre cosa chi poco mentre`),
  pt: wordsOf(`o os as e é um uma do da dos das em no na não com para por mais que se foi ao ele ela são você como mas seu sua muito também até
    isso está a nos nas à às aos de me te lhe meu minha meus minhas eu nós eles elas vocês era eram tinha tinham ser estar estão estava tem têm
    ter fazer faz fazia pode quero quando onde já nunca sempre ontem hoje amanhã manhã noite dia todos toda todas tudo outro outra bem mal
    obrigado porque depois antes agora aqui ali lá havia numa num pelo pela disse este esta tão dois duas três assim só muita perto`),
  de: wordsOf(`der die das und ist nicht ich sie ein eine mit auf für dem den von zu im auch es wir ihr sich wie aber noch nach bei oder wenn
    über wird sind war hat in an so was er du mein sein haben kann`),
  nl: wordsOf(`het een van en is dat niet ik je op te zijn met voor er maar ook aan hij zij wij om naar dan nog heeft wordt deze de in was die
    we ze mijn kan`),
  sv: wordsOf(`och att det som är en på inte jag med för har den till av ett om var vi kan du från men eller när ska de i så han hon min`),
  pl: wordsOf('w i na się nie do to jest że z jak po ale co tak od czy przez był oraz są dla być który a o za my'),
  tr: wordsOf('ve bir bu için ile çok değil olarak ama daha gibi en kadar var ben sen o biz mi ne de da'),
}

/** Letters and letter groups that are typical of only some of the languages in Latin script. */
const ownLetters: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[ñ¿¡]/iu, ['es']],
  [/[ãõ]/iu, ['pt']],
  [/ß/iu, ['de']],
  [/œ|[êîû]|[dlcjmnst]['’][aeéèêhiou]/iu, ['fr']],
  [/ç/iu, ['fr', 'pt']],
  [/[ùè]/iu, ['fr', 'it']],
  [/ò|zz|[cg]hi|gli/iu, ['it']],
  [/[áíóú]/iu, ['es', 'pt']],
  [/é/iu, ['es', 'fr', 'pt']],
  [/à/iu, ['fr', 'it', 'pt']],
]

const languagesWith = Map.groupBy(
  Object.entries(smallWords).flatMap(([language, words]) => [...words].map(word => ({ word, language }))),
  ({ word }) => word,
)

/** Least score for a result; a lower score may come from a name or from chance. */
const leastEvidence = 1.5

/** Returns the ISO 639-1 code of the text's language, or `assumed` when the text gives too
 *  little evidence. Only the first 4,000 characters are read. */
export function languageOf(text: string, assumed = 'en'): string {
  const start = text.slice(0, 4000)
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts)
    if ((start.match(script)?.length ?? 0) > letters * (language === 'ja' ? 0.1 : 0.3)) return language
  const [best, second] = [...scoresOf(start)].toSorted(([, one], [, other]) => other - one)
  if (!best || best[0] === assumed || best[1] <= (second?.[1] ?? 0)) return assumed
  return best[1] >= leastEvidence ? best[0] : languageByLetters(start, assumed)
}

function scoresOf(text: string): Map<string, number> {
  const scores = new Map<string, number>()
  const add = (languages: readonly string[]): void => {
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  for (const word of text.toLowerCase().match(/[\p{L}'’]+/gu) ?? []) {
    for (const part of word.split(/['’]/)) add((languagesWith.get(part) ?? []).map(({ language }) => language))
    for (const [letters, languages] of ownLetters) if (letters.test(word)) add(languages)
  }
  return scores
}

/** Returns the language of a text with few known words, such as a name. */
function languageByLetters(text: string, assumed: string): string {
  if (/[ñ¿¡]/iu.test(text)) return 'es'
  if (/[ãõ]/iu.test(text)) return 'pt'
  if (/[ß]/iu.test(text)) return 'de'
  return assumed
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}
