import { parseSync } from 'oxc-parser'
import { childrenIn, childrenOf } from './syntax-tree.mjs'

/** @typedef {import('./syntax-tree.mjs').Node} Node */

/**
 * The names of the tests in a file that run and expect something, and of the groups that contain one.
 *
 * Only what certainly runs counts: at the top of a file or of a group, in an exported function (a contract) or in a
 * loop. What a condition or a modifier may keep from running does not.
 *
 * @param {string} file
 * @param {string} source
 * @returns {string[]}
 */
export function testNames(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const body = childrenIn(program, 'body')
  fillInEmptyConstants(program, body)
  return namesIn(body)
}

/**
 * Puts the empty list itself where a call is given a constant that holds one and is never filled: `test.each(rows)`.
 *
 * @param {Node} program
 * @param {readonly Node[]} body
 */
function fillInEmptyConstants(program, body) {
  const empty = body
    .flatMap((statement) => childrenIn(statement, 'declarations'))
    .filter((one) => isEmptyList(childrenIn(one, 'init')[0]))
  if (empty.length === 0) return
  const nodes = nodesIn(program)
  const filled = new Set(nodes.map(({ object }) => object?.name))
  const names = new Set(empty.map(({ id }) => id?.name).filter((name) => !filled.has(name)))
  for (const given of nodes.flatMap((call) => call.arguments ?? [])) {
    if (given.type === 'Identifier' && names.has(given.name)) {
      Object.assign(given, { type: 'ArrayExpression', elements: [] })
    }
  }
}

/**
 * @param {readonly Node[]} statements
 * @returns {string[]}
 */
function namesIn(statements) {
  // `test.skip(onWindows, 'why')`, alone or in a hook, skips all tests beside it.
  if (statements.some((one) => !isTestOrGroup(one) && skips(one))) return []
  const end = statements.findIndex(({ type }) => /^(Return|Throw)Statement$/.test(type))
  return statements.slice(0, end < 0 ? undefined : end).flatMap(namesOf)
}

/**
 * @param {Node} statement
 * @returns {string[]}
 */
function namesOf(statement) {
  const { type, declaration, right } = statement
  if (type === 'ForOfStatement') return isEmptyList(right) ? [] : namesIn(statementsIn(statement))
  if (type === 'ExportNamedDeclaration' && declaration?.type === 'FunctionDeclaration')
    return namesIn(statementsIn(declaration))
  const call = callIn(statement)
  return call && certainlyRuns(call.callee) ? namesOfCall(call) : []
}

/**
 * @param {Node} call of `test` or `describe`
 * @returns {string[]}
 */
function namesOfCall(call) {
  const callback = callbackOf(call)
  if (!callback || call.arguments?.some(isModifying)) return []
  if (!pathOf(call.callee).includes('describe'))
    return expectsFirst(callback) && !skips(callback) ? textOf(call) : []
  const names = namesIn(statementsIn(callback))
  return names.length > 0 ? [...textOf(call), ...names] : []
}

/**
 * `{ skip: true }` and the like, as options of a test or a group.
 *
 * @param {Node} node
 */
function isModifying(node) {
  return childrenIn(node, 'properties').some(({ key }) =>
    /^(skip|todo|fails)$/.test(key?.name ?? String(key?.value)),
  )
}

/**
 * Whether a test expects something before any `return` of its own that may come too early.
 *
 * @param {Node} callback
 */
function expectsFirst(callback) {
  const statements = statementsIn(callback).filter((one) => !isUnused(one, callback))
  const end = statements.findIndex(
    (one) => one.type !== 'FunctionDeclaration' && !expects(one) && mayLeave(one),
  )
  return statements.slice(0, end < 0 ? undefined : end).some(expects)
}

/**
 * Whether a statement is a function that nothing else in the test names.
 *
 * @param {Node} statement
 * @param {Node} callback of the test
 */
function isUnused(statement, callback) {
  const declared =
    statement.type === 'FunctionDeclaration' ? [statement] : childrenIn(statement, 'declarations')
  return declared.some((one) => {
    const [init = one] = childrenIn(one, 'init')
    if (!/Function/.test(init.type)) return false
    const names = nodesIn(callback).filter(({ type }) => type === 'Identifier')
    return names.filter(({ name }) => name === one.id?.name).length === 1
  })
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
function mayLeave(node) {
  if (node.type === 'ReturnStatement') return true
  if (/Function/.test(node.type)) return false
  return childrenOf(node).some(({ child }) => mayLeave(child))
}

const modifiers = /^(each|for|concurrent|sequential|describe|parallel|serial)$/

/**
 * `test`, `describe.each(…)` and the like. `skipIf`, `runIf`, `fails` and unknown modifiers do not count, nor does a
 * table without rows.
 *
 * @param {Node | undefined} callee
 * @returns {boolean}
 */
function certainlyRuns(callee) {
  if (callee?.type === 'Identifier') return /^(test|it|describe)$/.test(callee.name ?? '')
  if (callee?.type === 'CallExpression')
    return !isEmptyList(callee.arguments?.[0]) && certainlyRuns(callee.callee)
  return modifiers.test(callee?.property?.name ?? '') && certainlyRuns(callee?.object)
}

/**
 * Whether code expects something in every case. What a function does whose name starts with `expect` or `assert` is
 * not looked at.
 *
 * @param {Node} node
 * @returns {boolean}
 */
function expects(node) {
  if (
    /^(If|Switch|While)Statement$|^(Conditional|Logical)Expression$|^CatchClause$/.test(node.type)
  )
    return false
  if (node.type === 'ForOfStatement' && isEmptyList(node.right)) return false
  if (node.type === 'CallExpression' && isEmptyList(node.callee?.object)) return false
  // What `catch` is given runs only if something has failed.
  if (node.type === 'CallExpression' && node.callee?.property?.name === 'catch')
    return node.callee.object ? expects(node.callee.object) : false
  if (node.type === 'TryStatement' && swallows(node))
    return childrenIn(node, 'finalizer').some(expects)
  return isExpectation(node) || childrenOf(node).some(({ child }) => expects(child))
}

/** Whether a failed expectation ends in a `catch` that throws nothing. @param {Node} statement */
function swallows(statement) {
  const handlers = childrenIn(statement, 'handler')
  return handlers.some((one) => nodesIn(one).every(({ type }) => type !== 'ThrowStatement'))
}

/**
 * @param {Node} node
 * @param {Node[]} [found]
 * @returns {readonly Node[]} the node and all below it
 */
function nodesIn(node, found = []) {
  found.push(node)
  for (const { child } of childrenOf(node)) nodesIn(child, found)
  return found
}

/** @param {Node} node */
function isExpectation({ type, callee }) {
  if (type !== 'CallExpression') return false
  const [root = '', ...members] = pathOf(callee)
  // `expect(value)` alone compares nothing, `expect.assertions(1)` counts.
  if (root === 'expect') return members.some((name) => /^to[A-Z]/.test(name))
  return /^(expect|assert)/.test(root) || members.at(-1) === 'assert'
}

/**
 * `test.skip(…)`, `info.fixme(…)`, `context.skip(…)`. Things other than tests `fail` as well.
 *
 * @param {Node} node
 * @returns {boolean}
 */
function skips(node) {
  const path = node.type === 'CallExpression' ? pathOf(node.callee) : []
  if (/^(skip|fixme)$/.test(path.at(-1) ?? '') || /^(test|it)\.fail$/.test(path.join('.')))
    return true
  return childrenOf(node).some(({ child }) => skips(child))
}

/** @param {Node} statement */
function isTestOrGroup(statement) {
  const call = callIn(statement)
  const [root = '', member = ''] = pathOf(call?.callee)
  if (!/^(test|it|describe)$/.test(root) || /^(before|after)/.test(member)) return false
  return call?.arguments?.length !== 1 && callbackOf(call) !== undefined
}

/** @param {Node} statement */
function callIn(statement) {
  const [expression] = childrenIn(statement, 'expression')
  return expression?.type === 'CallExpression' ? expression : undefined
}

/**
 * `['test', 'describe', 'each']` of `test.describe.each(rows)`.
 *
 * @param {Node | null | undefined} callee
 * @returns {string[]}
 */
function pathOf(callee) {
  if (!callee) return []
  if (callee.type === 'Identifier') return [callee.name ?? '']
  const name = callee.property?.name
  return [...pathOf(callee.object ?? callee.callee), ...(name === undefined ? [] : [name])]
}

/** @param {Node | undefined} call */
function callbackOf(call) {
  return call?.arguments?.findLast(({ type }) => /^(ArrowFunction|Function)Expression$/.test(type))
}

/**
 * @param {Node} node a loop or a function
 * @returns {readonly Node[]}
 */
function statementsIn(node) {
  return childrenIn(node, 'body').flatMap((body) => {
    if (body.type === 'BlockStatement') return childrenIn(body, 'body')
    // An arrow function may have an expression in place of a block.
    return [body.type === 'ExpressionStatement' ? body : { ...body, expression: body }]
  })
}

/**
 * @param {Node | undefined} node
 * @returns {boolean}
 */
function isEmptyList(node) {
  if (/^TS(As|Satisfies)Expression$/.test(node?.type ?? ''))
    return isEmptyList(node && childrenIn(node, 'expression')[0])
  return node?.type === 'ArrayExpression' && node.elements?.length === 0
}

/** @param {Node} call */
function textOf({ arguments: [name] = [] }) {
  if (typeof name?.value === 'string') return [name.value]
  const texts = name?.quasis?.map(({ value }) => /** @type {{ raw: string }} */ (value).raw)
  return texts ? [texts.join('…')] : []
}
