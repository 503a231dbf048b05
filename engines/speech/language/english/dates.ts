/** Converts dates, years, decades and times of day to spoken words. */
import { cardinal, plural, spokenDigits } from './numbers.ts'
import { letters, type NormaliserContext, type NormaliserStep, spokenOrdinal, spokenYear } from './speaking.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const shortMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sept? Oct Nov Dec'.split(' ')
const monthPattern = `(?:${months.map((month, index) => `${month}|${shortMonths[index]}\\.?`).join('|')})`
const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const dash = '(?: ?[-–—] ?| to )'
const shortDay = new RegExp(`\\b(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\\.?(?=,? (?:the )?(?:\\d|${monthPattern} \\d))`, 'g')
const dayPattern = '(?:0?[1-9]|[12]\\d|3[01])'

export const readDates: NormaliserStep = (text, speaking) => {
  const day = (digits: string): string => spokenOrdinal(digits.replace(/^0/, ''), speaking)
  const yearOf = (digits: string): string => (digits.length === 2 ? shortYear(digits) : spokenYear(digits, speaking))
  const full = (month: string, dayDigits: string, years?: string): string =>
    (speaking.accent === 'us' ? `${month} ${day(dayDigits)}` : `the ${day(dayDigits)} of ${month}`) + (years ? `, ${yearOf(years)}` : '')
  return (
    text
      .replace(shortDay, (_, short: string) => weekdays.find(name => name.startsWith(short.slice(0, 3)))!)
      .replace(
        /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(\d{2}:\d{2})(?::\d{2})?Z?)?\b/g,
        (_, years, month, dayDigits, time) => `${full(months[Number(month) - 1]!, dayDigits, years)}${time ? ` at ${time}` : ''}`,
      )
      .replace(/(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|\.\d)/g, (date, first, sign, second, years) => {
        const isDayFirst = sign === '.' || Number(first) > 12 || (speaking.accent === 'gb' && Number(second) <= 12)
        const [dayDigits, month] = isDayFirst ? [first, second] : [second, first]
        const name = months[Number(month) - 1]
        return name && Number(dayDigits) >= 1 && Number(dayDigits) <= 31 ? full(name, dayDigits, years) : date
      })
      // Matches dates such as `March 5, 2021`, `March 5th` and `Mar. 5-7`.
      .replace(
        new RegExp(
          `\\b(${monthPattern}) (${dayPattern})(?:st|nd|rd|th)?(?:(${dash})(${dayPattern})(?:st|nd|rd|th)?)?(?:(, ?| )(\\d{4})(?!\\d|-\\d|[,.]\\d))?(?![\\d:%]|[.,]\\d|(?:st|nd|rd|th)\\b)`,
          'g',
        ),
        (_, month, first, range, second, _sep, years) => {
          const the = speaking.accent === 'gb' ? 'the ' : ''
          return `${monthOf(month)} ${the}${day(first)}${range ? ` to ${day(second)}` : ''}${years ? `, ${yearOf(years)}` : ''}`
        },
      )
      // Matches dates such as `5 March 2021`, `5th of March` and `5-7 March`.
      .replace(
        new RegExp(
          `\\b(the )?(${dayPattern})(?:st|nd|rd|th)?(?:${dash}(${dayPattern})(?:st|nd|rd|th)?)?( of)? (${monthPattern})(?:,? (\\d{4})(?![\\d,]))?(?![\\p{L}\\d])`,
          'gu',
        ),
        (_, _the, first, second, _of, month, years) =>
          `the ${day(first)}${second ? ` to the ${day(second)}` : ''} of ${monthOf(month)}${years ? `, ${yearOf(years)}` : ''}`,
      )
      .replace(new RegExp(`\\b(${monthPattern}),? (\\d{4})(?![\\d,])\\b`, 'g'), (_, month, years) => `${monthOf(month)} ${yearOf(years)}`)
      .replace(/\b(1\d|20)(\d)0(?:'|’)?s\b/g, (_, century, decade) =>
        decade === '0' ? plural(spokenYear(`${century}00`, speaking)) : `${cardinal(century)} ${plural(cardinal(`${decade}0`))}`,
      )
      .replace(/(?:(?<=\b(?:the|his|her|their|my|your|our|early|late|mid)[ -])|(?<=^|[\s(-])['’])([2-9]0)(?:'|’)?s\b/gi, (_, decade) =>
        plural(cardinal(decade)),
      )
      .replace(/(?<=^|[\s(])['’](\d{2})\b(?!['’\d])/g, (_, digits) => shortYear(digits))
      .replace(/\bca?\. ?(?=\d)/g, 'circa ')
      .replace(/(?<=\b(?:in|since|by|until|before|after|from|year|circa) )10\d\d\b(?![,.]\d)/gi, digits => spokenYear(digits, speaking))
      .replace(
        /\b(\d{1,4}) ?(BCE?|B\.C\.(?:E\.)?|CE|C\.E\.|AD|A\.D\.)(?![\p{L}\d])/gu,
        (_, years, era) => `${yearNumber(years, speaking)} ${letters(era.replaceAll('.', ''))}`,
      )
      .replace(/\b(AD|A\.D\.) ?(\d{1,4})\b/g, (_, era, years) => `${letters(era.replaceAll('.', ''))} ${yearNumber(years, speaking)}`)
  )
}

export const readTimes: NormaliserStep = text =>
  text
    // Matches British times such as `7.45 am`. The am or pm shows that this is a time and not a
    // decimal number.
    .replace(/(?<![\d.,])(\d{1,2})\.([0-5]\d)(?= ?[ap]\.?m(?:\.|\b))/gi, (time, hours, minutes) =>
      Number(hours) > 12 ? time : `${hours}:${minutes}`,
    )
    .replace(
      new RegExp(`\\b(\\d{1,2}(?::\\d{2})?(?: ?[ap]\\.?m\\.?)?)${dash}(\\d{1,2}(?::\\d{2})?) ?([ap])\\.?m(?:\\.(?!$)|\\b)`, 'gi'),
      (whole, from, to, half) =>
        Number.parseInt(from, 10) > 24 || Number.parseInt(to, 10) > 24 ? whole : `${timed(from)} to ${timed(`${to} ${half}m`)}`,
    )
    .replace(/\b(\d{1,2}:[0-5]\d)[-–—](\d{1,2}:[0-5]\d)\b/g, '$1 to $2')
    .replace(
      /\b(\d{1,2}):([0-5]\d):([0-5]\d)(?:\.\d+)?\b/g,
      (_, hours, minutes, seconds) =>
        [
          [hours, 'hour'],
          [minutes, 'minute'],
          [seconds, 'second'],
        ]
          .filter(([count]) => Number(count) > 0)
          .map(([count, unit]) => `${cardinal(count)} ${unit}${Number(count) === 1 ? '' : 's'}`)
          .join(' ') || 'zero seconds',
    )
    .replace(/\b(?:[01]?\d|2[0-4]):[0-5]\d(?: ?[ap]\.?m(?:\.(?!$)|\b))?(?!\d)/gi, timed)
    .replace(/\b(?:1[0-2]|[1-9]) ?[ap](?:\.m\.(?!$)|\.m(?=\.$)|m\b)/gi, timed)
    .replace(/\b(\d{1,2}):(\d{1,2})\b/g, (_, left, right) => `${cardinal(left)} to ${cardinal(right)}`)

/** Converts `3:05 pm` to `three oh five P·M·`. */
function timed(time: string): string {
  const [, hours = '0', minutes = '00', half = ''] = /^(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?$/i.exec(time.trim()) ?? []
  const hour = cardinal(hours)
  const said = minutes === '00' ? '' : minutes.startsWith('0') ? ` oh ${cardinal(minutes)}` : ` ${cardinal(minutes)}`
  if (half !== '') return `${hour}${said} ${letters(`${half}m`)}`
  if (said !== '') return `${hour}${said}`
  return !time.includes(':') ? hour : Number(hours) === 0 || Number(hours) > 12 ? `${hour} hundred` : `${hour} o'clock`
}

function monthOf(name: string): string {
  return months.find(month => month.startsWith(name.slice(0, 3))) ?? name
}

/** Converts `'99` to `ninety-nine`, `'05` to `oh five`. */
function shortYear(digits: string): string {
  return digits.startsWith('0') ? spokenDigits(digits, 'oh') : cardinal(digits)
}

function yearNumber(digits: string, speaking: NormaliserContext): string {
  return digits.length === 4 ? spokenYear(digits, speaking) : cardinal(digits, speaking.accent === 'gb')
}
