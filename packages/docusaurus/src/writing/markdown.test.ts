import { expect, it } from 'vitest'
import { titleAdmonitions } from './markdown.ts'

it.each([
  [':::note 題名', ':::note[題名]'],
  ['  ::::tip　全角の空白のあと', '  ::::tip[全角の空白のあと]'],
  ['> :::warning 引用の中 ', '> :::warning[引用の中]'],
  [':::note', ':::note'],
  [':::note[題名]', ':::note[題名]'],
  [':::note {#id}', ':::note {#id}'],
  [':::unknown 題名', ':::unknown 題名'],
])('reads %j as %j', (line, expected) => {
  expect(titleAdmonitions(line)).toBe(expected)
})

it('leaves code as it is, and goes on behind it', () => {
  const code = ['````md', '```', ':::note 題', '```', ':::tip 題', '````']
  expect(titleAdmonitions([...code, ':::tip 題'].join('\n'))).toBe([...code, ':::tip[題]'].join('\n'))
})
