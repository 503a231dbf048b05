/** `npm run bench -- tools [--model=text-0.5b | --file=model.gguf] [--sampling=0.7,0.8]
 *  [--seeds=1,2] [--prompts=0,1,2,3]`: measures, with `tool_choice: auto`, how often a built-in
 *  model makes the right choice: it calls a tool when one gives the answer, and answers in words
 *  when none does. */
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { openDriver, request, untilCall } from '../engines/text/testing/ask.ts'
import { isMet, lineOf, print } from './report.ts'
import type { Figure } from './scenarios.ts'
import { plainQuestions, questions, systemPrompts, type ToolQuestion, toolSets } from './tool-questions.ts'

/** The goal for questions that a tool answers: number of questions for which the model must call
 *  a tool. */
const fewestCalls = 22
/** The project's own goal for questions that need no tool: number of questions that the model
 *  must answer in words. It is more than half of them. */
const fewestWords = 5
/** Longest answer in tokens. Much earlier than this, it is clear whether the model calls a tool
 *  or writes words. */
const longestAnswer = 60

interface Run {
  driver: Driver
  settings: { file?: string }
  model: string
  sampling: Pick<TextRequest, 'temperature' | 'topP' | 'seed'>
}

/** Prints how many questions were answered as expected, and each one that was not. Sets the exit
 *  code when a goal is missed. */
export async function benchTools(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const numbers = (name: string): number[] | undefined => option(name)?.split(',').map(Number)
  const file = option('file')
  const [temperature, topP] = numbers('sampling') ?? []
  const driver = openDriver()
  const figures: Figure[] = []
  try {
    for (const seed of numbers('seeds') ?? [1]) {
      for (const prompt of numbers('prompts') ?? systemPrompts.keys()) {
        const sampling = { ...(temperature === undefined ? {} : { temperature }), seed, ...(topP === undefined ? {} : { topP }) }
        const run = { driver, sampling, model: option('model') ?? 'text-0.5b', settings: file === undefined ? {} : { file } }
        for (const figure of await figuresOf(run, prompt)) {
          figures.push(figure)
          print(lineOf(figure))
        }
      }
    }
  } finally {
    await driver.close?.()
  }
  if (!figures.every(isMet)) process.exitCode = 1
}

async function figuresOf(run: Run, prompt: number): Promise<Figure[]> {
  const name = `prompt ${prompt}, temperature ${run.sampling.temperature ?? 'as it is'}, seed ${run.sampling.seed}`
  const answers: Called[] = []
  // The questions are sent one after another. Each request begins like the previous one, so the
  // engine need not process the common beginning again.
  for (const question of [...questions, ...plainQuestions]) answers.push(await called(run, question, systemPrompts[prompt]))
  const asked = answers.slice(0, questions.length)
  const plain = answers.slice(questions.length)
  const right = asked.filter(({ question, tool }) => tool === question.tool).length
  return [
    {
      name: `${name}: calls for ${asked.length} questions`,
      value: asked.filter(({ tool }) => tool !== undefined).length,
      unit: 'calls',
      goal: { bound: 'at least', value: fewestCalls },
      note: `${right} of the tool that was meant`,
    },
    {
      name: `${name}: words for ${plain.length} that need no tool`,
      value: plain.filter(({ tool }) => tool === undefined).length,
      unit: 'answers',
      goal: { bound: 'at least', value: fewestWords },
    },
  ]
}

interface Called {
  question: ToolQuestion
  tool: string | undefined
}

async function called(run: Run, question: ToolQuestion, system: string | undefined): Promise<Called> {
  const items: TextItem[] = [{ type: 'message', role: 'user', parts: [{ type: 'text', text: question.question }] }]
  if (system !== undefined) items.unshift({ type: 'message', role: 'system', parts: [{ type: 'text', text: system }] })
  const { temperature: _, ...open } = request('', { items, tools: [...toolSets[question.set]], maxOutputTokens: longestAnswer })
  const asked = { ...open, ...run.sampling }
  const answer = await untilCall(run.driver, asked, { model: run.model, settings: run.settings })
  if (answer.tool !== question.tool) print(`  ${question.question} -> ${answer.tool ?? JSON.stringify(answer.text)}`)
  return { question, tool: answer.tool }
}
