/** The demos of embeddings, rerank and moderations. */
import { type Demo, type DemoCall, type DemoContext, type OutputJudge, savedText } from './demo.ts'
import { says } from './judge/words.ts'
import { post } from './post.ts'

/** The text of a result, and what the overview page says about it; `savedText` adds the time
 *  that the call took. */
interface Shown {
  text: string
  facts: string
}

interface RetrievalCall {
  id: string
  title: string
  ask(context: DemoContext): Promise<Shown>
  judge: OutputJudge
}

const call = ({ id, title, ask, judge }: RetrievalCall): DemoCall => ({
  id,
  title,
  make: async context => {
    const startedAt = performance.now()
    const { text, facts } = await ask(context)
    return savedText(context, { id, title, text, facts, startedAt })
  },
  judge,
})

const near = 'A kitten naps on the couch.'
const sentences = ['The cat is asleep on the sofa.', 'A dog barks at the postman.', 'Share prices fell on Monday.']

export const embeddingsDemo: Demo = {
  family: 'embeddings',
  calls: [
    call({
      id: 'embeddings-near',
      title: `How near is each sentence to “${near}”`,
      async ask(context) {
        const { data } = await post<Embeddings>(context, 'embeddings', { input: [near, ...sentences] })
        const [from = [], ...others] = data.map(({ embedding }) => embedding)
        const lines = others.map((vector, index) => `${cosine(from, vector).toFixed(2)}  ${sentences[index]}`)
        return { text: lines.join('\n'), facts: `${data.length} vectors of ${from.length} numbers compared by cosine` }
      },
      judge: says(/^0\.[5-9]\d {2}The cat/m, /^-?0\.[0-4]\d {2}A dog/m, /^-?0\.[01]\d {2}Share/m),
    }),
  ],
}

const query = 'Which planet has rings?'
const documents = [
  'Mars is called the red planet.',
  'A jeweller repairs watches.',
  'Bands of ice and dust circle Saturn.',
  'The café closes at six.',
]

export const rerankDemo: Demo = {
  family: 'rerank',
  calls: [
    call({
      id: 'rerank-planet',
      title: `${query} (${documents.length} texts, the best first)`,
      async ask(context) {
        const { results } = await post<Ranking>(context, 'rerank', { query, documents })
        const lines = results.map(({ index, relevance_score: score }, rank) => `${rank + 1}. ${documents[index]} (${score.toFixed(2)})`)
        return { text: lines.join('\n'), facts: `${results.length} texts ranked` }
      },
      judge: says(/^1\. Bands of ice/, /^4\. /m),
    }),
  ],
}

const texts = ['See you at the beach on Sunday.', 'I will kill you and your family.']

export const moderationsDemo: Demo = {
  family: 'moderations',
  calls: [
    call({
      id: 'moderations-threat',
      title: 'Which of two texts is harmful?',
      async ask(context) {
        const { results } = await post<Moderation>(context, 'moderations', { input: texts })
        const verdicts = results.map(({ flagged, categories }, index) => {
          const found = Object.keys(categories).filter(name => categories[name])
          return `${texts[index]}\n> ${flagged ? `flagged: ${found.join(', ')}` : 'harmless'}`
        })
        return { text: verdicts.join('\n\n'), facts: `${results.length} texts judged` }
      },
      judge: says(/Sunday\.\n> harmless$/m, /family\.\n> flagged: .*(?:violence|harassment)/m),
    }),
  ],
}

interface Embeddings {
  data: { embedding: number[] }[]
}

interface Ranking {
  results: { index: number; relevance_score: number }[]
}

interface Moderation {
  results: { flagged: boolean; categories: Record<string, boolean> }[]
}

/** Returns the cosine of two vectors of length 1. */
function cosine(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0)
}
