// What protocol/ may know of the catalogue's words: types only, passed on because protocol/ stands above server/.

export type {
  ClientView,
  PromptComplete,
  ResourceComplete,
  ToolComplete,
} from '../catalog/catalog.ts';
export type {
  ContentBlock,
  Implementation,
  InputRequest,
  InputRequests,
  InputResponses,
  JsonObject,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from '../core/mcp.ts';
