/** Reads a file of certificate authorities that the operator configured. */
import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext, setDefaultCACertificates } from 'node:tls'
import { readSettingFile, wrongFile } from '../setting-file.ts'

const block = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g

/** Returns the certificates of a PEM file. Throws `invalid_request`, whose message names the
 *  setting and the file, when the file cannot be read or has no valid certificate. */
export function readCaFile(path: string, setting: string): string[] {
  const certificates = readSettingFile(path, setting).match(block) ?? []
  if (certificates.length === 0) throw wrongFile(path, setting, 'has no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (error) {
      throw wrongFile(path, setting, `has a certificate that cannot be read: number ${index + 1} of ${certificates.length}`, error)
    }
  }
  return certificates
}

/** Makes this process trust these certificates in addition to the authorities that it already
 *  trusts. */
export function trust(certificates: readonly string[]): void {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...certificates])])
}

const contexts = new Map<string, SecureContext>()

/** Returns a TLS context that trusts the certificates of this file in addition to the authorities
 *  of the process. Once a call has succeeded, later calls do not read the file again and cannot
 *  fail. Throws as `readCaFile` does. */
export function contextTrusting(path: string, setting: string): SecureContext {
  const context = contexts.get(path) ?? createSecureContext({ ca: [...getCACertificates('default'), ...readCaFile(path, setting)] })
  contexts.set(path, context)
  return context
}
