/** Counts the lines of the functions in a source file. */
import ts from 'typescript-5'

export interface LongFunction {
  /** Name of the function: `name`, or `outer.name` for a function within another one or within a
   *  class. */
  name: string
  /** Number of lines from the first line of the function to the last, including nested
   *  functions, comments and empty lines. */
  lines: number
}

/** Names of the functions that declare test cases. */
const caseCalls: ReadonlySet<string> = new Set(['test', 'describe', 'check'])

/** Returns every function longer than `most` lines: declarations, closures, methods, constructors
 *  and accessors.
 *  With `isTest`, test cases and functions that contain them are left out, because a test case
 *  is read from top to bottom and may be long. */
export function longFunctions(file: string, text: string, { most, isTest }: { most: number; isTest: boolean }): LongFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const found: LongFunction[] = []
  const visit = (node: ts.Node, outer: string): void => {
    const name = nameOf(node)
    const path = name === undefined ? outer : `${outer}${outer && '.'}${name}`
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1
      if (lines > most && !(isTest && holdsCases(node))) found.push({ name: path || 'default', lines })
    }
    ts.forEachChild(node, child => visit(child, path))
  }
  visit(source, '')
  return found
}

/** Returns the name that a node adds to the dotted path of the functions inside it; undefined
 *  when it adds none. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node)
  return isNamed ? node.name?.getText() : undefined
}

/** Returns true for a node that is a test case or contains one. */
function holdsCases(node: ts.Node): boolean {
  if (isCaseCall(node.parent)) return true
  let holds = false
  const look = (child: ts.Node): void => {
    holds ||= isCaseCall(child)
    if (!holds) ts.forEachChild(child, look)
  }
  ts.forEachChild(node, look)
  return holds
}

function isCaseCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) && caseCalls.has(node.expression.getText())
}
