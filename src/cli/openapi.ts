import { version } from '../config/settings.ts'
import { openapiDocument } from '../contract/description/openapi.ts'
import { engines } from '../engines.ts'
import { families } from '../families/index.ts'
import { print } from './terminal.ts'

export async function runOpenapi(): Promise<void> {
  const declared = families.map(({ family }) => family)
  print(JSON.stringify(openapiDocument(declared, { version, engines }), null, 2))
}
