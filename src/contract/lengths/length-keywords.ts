/** Replaces Ajv's keywords `maxLength` and `minLength`, which count characters, by ones that are
 *  fast for long texts. Ajv's own ones read the whole text each time, which blocked the event
 *  loop for 120 ms at 30 MB. A text has at most as many characters as UTF-16 units and at least
 *  half as many, so the number of units alone decides about nearly every text. */
import { _, type Ajv, type CodeKeywordDefinition } from 'ajv'
import { useFunc } from 'ajv/dist/compile/util.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'

/** Puts these keywords in the place of Ajv's own ones. */
export function addLengthKeywords(ajv: Ajv): void {
  for (const keyword of ['maxLength', 'minLength'] as const) ajv.removeKeyword(keyword).addKeyword(lengthKeyword(keyword))
}

const pair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/

/** Returns the number of characters (Unicode code points). */
export function charactersIn(text: string): number {
  return pair.test(text) ? ucs2length.default(text) : text.length
}

function lengthKeyword(keyword: 'maxLength' | 'minLength'): CodeKeywordDefinition {
  return {
    // `before` puts these keywords in the position of Ajv's own ones. When a text has several
    // errors, the same error as with Ajv's own keywords is then reported first.
    ...{ keyword, type: 'string', schemaType: 'number', before: 'pattern' },
    error: { message: `${keyword} is broken`, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
    code(cxt) {
      const { data, schema: limit } = cxt
      const characters = _`${useFunc(cxt.gen, ucs2length.default)}(${data})`
      cxt.fail(
        keyword === 'maxLength'
          ? _`${data}.length > ${limit} && (${data}.length > ${2 * limit} || ${characters} > ${limit})`
          : _`${data}.length < ${2 * limit} && ${characters} < ${limit}`,
      )
    },
  }
}
