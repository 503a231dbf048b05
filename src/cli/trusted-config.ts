import { readCaFile, trust } from '@generation-gateway/kit/outbound/ca-file.ts'
import { type Config, readConfig } from '../config/settings.ts'

/** Returns the settings, for a command that connects to the store itself. From then on this
 *  process also trusts the certificate authorities in the file `GATEWAY_CA_FILE`. Throws the
 *  errors of `readConfig` and `readCaFile`. */
export function readTrustedConfig(): Config {
  const config = readConfig(process.env)
  const { caFile } = config.outbound
  if (caFile !== undefined) trust(readCaFile(caFile, 'GATEWAY_CA_FILE'))
  return config
}
