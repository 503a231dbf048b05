/** What a family's demo is: calls that are made through the public interface only. */
export interface Demo {
  family: string
  calls: DemoCall[]
}

export interface DemoContext {
  /** Origin of the running gateway. */
  url: string
  accessKey: string
  /** Folder the files go to. */
  output: string
  /** Results so far, by call id. */
  made: ReadonlyMap<string, DemoResult>
}

export interface DemoCall {
  id: string
  family: string
  /** What is shown beside the result: the prompt. */
  title: string
  /** Id of the call whose result this one starts from. */
  uses?: string
  make(context: DemoContext): Promise<{ file: string; bytes: number; facts: string; text?: string }>
}

export interface DemoResult {
  family: string
  title: string
  /** Name within the output folder. */
  file: string
  bytes: number
  /** One line: size, seed, words not drawn. */
  facts: string
  seconds: number
  /** What was said, for results that are text. */
  text?: string
  /** What would make it possible on this machine: an engine or a pack that is not there. */
  missing?: string
  error?: string
}
