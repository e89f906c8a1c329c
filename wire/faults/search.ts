/** A search that the vendor runs by itself, and pauses in. */
export const search = {
  call: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'noon' } },
  result: {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      {
        type: 'web_search_result',
        title: 'Noon',
        url: 'https://example.com',
        encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5',
        page_age: null,
      },
    ],
  },
} as const
