import { randomInt } from 'node:crypto'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import { type FieldName, nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { CoreContext, Submission, TaskView } from '../../contract/context.ts'
import type { Family } from '../../contract/family.ts'
import type { FamilyModel } from '../../contract/model.ts'
import type { NeedName } from '../../contract/needs/index.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Artifact, InlinePart, Task, TaskCapability } from '../../core/records/task.ts'
import type { HttpDeps } from '../deps.ts'
import { provisions } from '../provisions/index.ts'
import type { Call } from './call.ts'
import { inCallersWords } from './callers-words.ts'
import { taskOfCall } from './own-task.ts'
import { submissionOf } from './submission.ts'

/** Returns a function that creates the context in which a handler runs. A context has the
 *  members that every operation gets, and the members that this operation declares as its needs. */
export function contextsOf(deps: HttpDeps, family: Family, { needs = [] }: Operation): (call: Call) => CoreContext {
  const Context = needs.length === 0 ? HandlerContext : HandlerContext.with(needs)
  return call => new Context(deps, family, call)
}

/** The context is a class: an object literal with a dozen closures and accessors per request
 *  would burden the garbage collector, above all during polls. */
class HandlerContext implements CoreContext {
  readonly #deps: HttpDeps
  readonly #family: Family
  readonly #call: Call
  readonly publicUrl: string
  readonly requestId: string
  readonly endpoint: string
  readonly route: Call['route']

  /** Returns a class of contexts that also provide these needs (parts of a context that the
   *  operation declares), as getters on the prototype. The class is created once per operation, so
   *  a request costs the same however many needs the operation declares. */
  static with(needs: readonly NeedName[]): typeof HandlerContext {
    class OperationContext extends HandlerContext {}
    for (const need of needs) {
      Object.defineProperty(OperationContext.prototype, need, {
        get(this: HandlerContext) {
          return provisions[need]({ deps: this.#deps, family: this.#family, call: this.#call })
        },
      })
    }
    return OperationContext
  }

  constructor(deps: HttpDeps, family: Family, call: Call) {
    this.#deps = deps
    this.#family = family
    this.#call = call
    this.publicUrl = call.publicUrl
    this.requestId = call.requestId
    this.endpoint = call.endpoint.name
    this.route = call.route
  }

  get model(): FamilyModel {
    if (!this.#call.model) throw new TypeError('this operation does not choose a model')
    return this.#call.model
  }

  get signal(): AbortSignal {
    return this.#call.signal()
  }

  link(artifact: Artifact, lifetimeMs: number): string {
    return linkTo(this.#deps, this.publicUrl, { artifact, lifetimeMs })
  }

  randomSeed(): string {
    return String(randomInt(0, 2 ** 32))
  }

  async submit<C extends Capability>(submission: Submission<C>): Promise<Task> {
    try {
      return await this.#deps.tasks.submit(submissionOf(this.#deps, this.#family, this.#call, submission))
    } catch (error) {
      throw inCallersWords(this.#family, error)
    }
  }

  async *run<C extends TaskCapability>(submission: Submission<C>): AsyncIterable<InlinePart<C>> {
    try {
      yield* this.#deps.runs.run(submissionOf(this.#deps, this.#family, this.#call, submission), this.signal)
    } catch (error) {
      throw inCallersWords(this.#family, error)
    }
  }

  task(id: string): Promise<Task> {
    return taskOfCall(this.#deps, { family: this.#family, call: this.#call, id })
  }

  warn(says: string, field?: FieldName): void {
    this.#call.warnings.push(field === undefined ? says : `${nameIn(this.#family.fieldNames ?? {}, field)}: ${says}`)
  }

  setHeader(name: string, value: string): void {
    this.#call.headers[name] = value
  }

  signedUrl(operation: string, params: Readonly<Record<string, string>>, lifetimeMs: number): string {
    const declared = this.#family.operations[operation]
    if (declared?.access !== 'signed') throw new TypeError(`${this.#family.id} has no signed operation ${operation}`)
    const acts = declared.actsFor === undefined ? {} : { [declared.actsFor]: this.#call.key.id }
    const given: Record<string, string> = { endpoint: this.endpoint, ...acts, ...params }
    const path = declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
    return this.publicUrl + this.#deps.links.signPath(path, this.#deps.clock.now() + lifetimeMs)
  }

  publicId(task: Pick<Task, 'id' | 'model'>): string {
    const { taskNames, taskPrefix = '' } = this.#family
    return taskNames?.nameOf(task) ?? `${taskPrefix}${task.id}`
  }

  now(): number {
    return this.#deps.clock.now()
  }
}

/** Returns the part of the context that a presenter needs: the public URL, and the function that
 *  creates absolute links below it. A presenter turns a task into the family's JSON. */
export function taskView(deps: Pick<HttpDeps, 'links' | 'clock'>, publicUrl: string): TaskView {
  return {
    publicUrl,
    link: (artifact, lifetimeMs) => linkTo(deps, publicUrl, { artifact, lifetimeMs }),
  }
}

function linkTo(
  deps: Pick<HttpDeps, 'links' | 'clock'>,
  publicUrl: string,
  { artifact, lifetimeMs }: { artifact: Artifact; lifetimeMs: number },
): string {
  return publicUrl + deps.links.sign(artifact.id, deps.clock.now() + lifetimeMs)
}
