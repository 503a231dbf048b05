/** Builds the file tree of an image without containers. */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { findStage, type Stage, type Step } from './containerfile.ts'

export interface TreeSource {
  stages: readonly Stage[]
  /** Returns true for a path of the project that .containerignore excludes. */
  isIgnored(path: string): boolean
  /** Folder of the project. */
  context: string
}

/** Carries out the steps of a stage in an empty folder, which stands for the root of the image. RUN
 *  steps run on this machine, in the working folder of the stage. Returns the path of the working
 *  folder. Throws for an instruction that a file tree cannot express, and for a step that fails. */
export function buildTree(source: TreeSource, name: string, root: string): string {
  const steps = chainOf(source.stages, name).flatMap(stage => stage.steps)
  let folder = '/'
  for (const step of steps) {
    if (step.instruction === 'WORKDIR') {
      folder = posix.resolve(folder, step.text)
      mkdirSync(join(root, folder), { recursive: true })
    } else if (step.instruction === 'COPY') copy(step, source, destination => join(root, posix.resolve(folder, destination)))
    else if (step.instruction === 'RUN') run(step.text, join(root, folder))
    else throw new Error(`The stage ${name} has ${step.instruction}, which cannot be carried out without a container`)
  }
  return join(root, folder)
}

/** Returns the stages from which this stage is built (`FROM`), in order, and then the stage
 *  itself. */
function chainOf(stages: readonly Stage[], name: string): Stage[] {
  const stage = findStage(stages, name)
  return stages.some(each => each.name === stage.from) ? [...chainOf(stages, stage.from), stage] : [stage]
}

function copy({ flags, text }: Step, { context, isIgnored }: TreeSource, placeOf: (destination: string) => string): void {
  if (flags.from !== undefined) throw new Error(`COPY --from=${flags.from} in a stage of a tree`)
  const words = text.split(' ')
  const destination = words.pop() ?? ''
  const place = placeOf(destination)
  const sources = words.flatMap(pattern => globSync(pattern, { cwd: context })).filter(path => !isIgnored(path))
  if (sources.length < words.length) throw new Error(`COPY ${text}: a file is missing`)
  for (const path of sources) {
    const isFolder = statSync(join(context, path)).isDirectory()
    const target = !isFolder && destination.endsWith('/') ? join(place, basename(path)) : place
    mkdirSync(dirname(target), { recursive: true })
    const isCopied = (file: string): boolean => statSync(file).isDirectory() || !isIgnored(posix.normalize(file.slice(context.length + 1)))
    cpSync(join(context, path), target, { recursive: true, preserveTimestamps: true, filter: isCopied })
  }
}

function run(command: string, cwd: string): void {
  // npm has set variables of this process that refer to the project's folder. The command runs in
  // another folder, so these variables are removed.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|userconfig)$)/.test(name)))
  const { status, error } = spawnSync('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw error
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`)
}
