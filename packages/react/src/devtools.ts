export { OffthreadDevtools, type OffthreadDevtoolsProps } from './devtools/offthread-devtools.ts'
