/** Runs conversations with a language model of a provider package. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import type { Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { refusalBy } from '../../../shared/refusal.ts'
import { dialectOfPackage } from '../../../shared/text/carried-members.ts'
import { packageForm } from '../../../shared/text/packages/package-signatures.ts'
import { serviceDigests } from '../../../shared/text/text-common-request.ts'
import { respondWith } from '../../../shared/text/text-respond.ts'
import type { ToolPlan } from '../../../shared/text/tool-plan.ts'
import { type ModelUse, openUse, type RunTools, report } from '../exchanges.ts'
import { textFailureOf } from '../failures.ts'
import { settings, type TargetFacts } from '../settings.ts'
import { AnswerReader } from './answer-reader.ts'
import { languageCallOf, readWarnings, refuseUnsupportedText } from './call.ts'
import { ConversationFiles } from './files.ts'
import { type LanguageCall, type LanguageModel, languageModelOf } from './language-model.ts'
import { cacheMarksUnder, storesAnswers, takesFilesInResults } from './options.ts'
import { promptOf } from './prompt.ts'

/** Largest size in bytes of all answers of one conversation together. The answers are streamed, so
 *  memory holds only what the AI SDK package buffers, not the whole answers. */
const maxBytes = 64 * 1024 * 1024

/** The objects that a request for an answer needs. */
interface AnswerJob {
  tools: RunTools
  job: Job<TextRequest>
  facts: TargetFacts
  request: TextRequest
  plan: ToolPlan
}

/** Returns the offer with which the driver serves `text.respond`. */
export function textRuns(tools: RunTools): StreamedOffer<TextRequest, TextEvent> {
  return respondWith(
    job => {
      const facts = settings.targetOf(job.settings)
      return { dialect: 'basic', ask: (request, plan) => answerOf({ tools, job, facts, request, plan }) }
    },
    { refuses: jobFacts => refusalBy(() => refuseUnsupportedText(jobFacts)) },
  )
}

async function* answerOf(work: AnswerJob): AsyncGenerator<TextEvent, TextResult> {
  const { tools, facts, job } = work
  const { model, signal } = job
  using used = await openUse(tools, { facts, model, signal, maxBytes, isStreamed: true, mayRepeat: true })
  try {
    const language = await languageModelOf(used, facts.textMethod)
    const call = await callOf(work, used, language)
    const reader = new AnswerReader(sourceOf(work), maxBytes, model)
    let hasReported = false
    for await (const part of language.stream(call)) {
      const events = reader.read(part)
      if (events.length > 0 && !hasReported) {
        hasReported = true
        reportWarnings(work, { warnings: reader.warnings, language, call })
      }
      for (const event of events) yield event
    }
    signal.throwIfAborted()
    if (!hasReported) reportWarnings(work, { warnings: reader.warnings, language, call })
    return reader.result()
  } catch (error) {
    throw textFailureOf(error, { kind: 'language', facts, model, exchange: used.exchange, isAborted: signal.aborted })
  }
}

async function callOf({ tools, job, facts, request, plan }: AnswerJob, used: ModelUse, model: LanguageModel): Promise<LanguageCall> {
  const { download } = tools.connections
  const { version } = model
  const { signal } = used
  const prompt = await promptOf(request.items, {
    version,
    files: new ConversationFiles({ download, account: job.account ?? '', model, scratch: job.scratch, signal }),
    source: sourceOf({ facts, job }),
    signatures: packageForm(facts.package),
    storesAnswers: storesAnswers(facts.package, facts.providerOptions),
    marksUnder: cacheMarksUnder(facts.package),
    takesFilesInResults: facts.takesFilesInResults ?? takesFilesInResults(facts.package),
  })
  return languageCallOf({ facts, version, request, plan, requestId: job.id, prompt, signal })
}

/** Returns the identity of the target. It is stored with carried members, which the target requires
 *  back in the next turn. */
function sourceOf({ facts, job }: Pick<AnswerJob, 'facts' | 'job'>): CarriedSource {
  const { baseOrigin, package: name } = facts
  const host = baseOrigin === undefined ? (packageForm(name)?.host ?? name) : new URL(baseOrigin).hostname
  // Targets of all packages count as targets that speak chat. The dialect distinguishes them from
  // upstreams that really speak it.
  return { protocol: 'chat', dialect: dialectOfPackage(name), ...serviceDigests(host, job.model) }
}

interface AnswerStart {
  warnings: readonly JsonObject[]
  language: LanguageModel
  call: LanguageCall
}

/** Reports to the caller the fields that the model does not follow, and logs the package's
 *  remarks. */
function reportWarnings({ tools, job, facts, request }: AnswerJob, { warnings, language, call }: AnswerStart): void {
  const { version } = language
  const { leftOut, remarks } = readWarnings(warnings, { facts, version, request, call })
  for (const { field, says } of leftOut) job.warn?.(field, says)
  if (remarks.length > 0) report(tools, job, remarks)
}
