import { normalForm } from '../normal-form.ts'

// Matches 9 to 19 digits with at most one space or hyphen between two of them. Because the number
// of digits is limited, the search takes time linear in the length of the text.
const digitRuns = /(?<![\d.])\d(?:[ -]?[\dXx]){8,18}(?![\d.])/g
const cardLength = { least: 13, most: 19 }
const socialSecurity = /^\d{3}-\d{2}-\d{4}$/
const identityWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const identityChecks = '10X98765432'

/** Returns true when a text contains a number that belongs to one person: a payment card (Luhn
 *  check digit, ISO/IEC 7812), a United States social security number in its usual form, or a
 *  Chinese identity number (GB 11643 check digit). Phone numbers are not searched for. */
export function findPrivateNumbers(text: string): boolean {
  for (const [run] of normalForm(text, 'NFKC').matchAll(digitRuns)) {
    if (socialSecurity.test(run)) return true
    const digits = run.replace(/[ -]/g, '').toUpperCase()
    if (isIdentityNumber(digits) || isCardNumber(digits)) return true
  }
  return false
}

function isCardNumber(digits: string): boolean {
  if (!/^[3-6]\d+$/.test(digits) || digits.length < cardLength.least || digits.length > cardLength.most) return false
  if (new Set(digits).size < 3) return false
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 0 ? digit : digit * 2
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

function isIdentityNumber(digits: string): boolean {
  if (!/^[1-8]\d{5}(?:19|20)\d{2}(?:0\d|1[0-2])[0-3]\d{4}[\dX]$/.test(digits)) return false
  const sum = identityWeights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return identityChecks[sum % 11] === digits[17]
}
