import { version } from '../config/settings.ts'
import { openapiDocument } from '../contract/description/openapi.ts'
import { engines } from '../engines.ts'
import { families } from '../families/index.ts'
import { print } from './terminal.ts'

export async function runOpenapi(): Promise<void> {
  print(
    JSON.stringify(
      openapiDocument(
        families.map(entry => entry.family),
        { version, engines },
      ),
      null,
      2,
    ),
  )
}
