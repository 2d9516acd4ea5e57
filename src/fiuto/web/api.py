"""Every endpoint of the API: one table that routes, checks and describes."""

from __future__ import annotations

from fiuto.languages import LANGUAGES
from fiuto.model import LABELS, MODES
from fiuto.web import evaluations, indexes, search
from fiuto.web.call import Endpoint, Field

__all__ = ["ENDPOINTS"]

_QUESTION = 10_000
"""Characters: more than anybody types, less than what makes a model slow."""

_ID = Field("id", "The index, as GET /api/indexes names it.", needed=True)
_JOB = Field("id", "The job.", needed=True)
_PATH = Field("path", "Path relative to the root.", longest=4_096, needed=True)

_SEARCH = (
    Field("index", "The index, as GET /api/indexes names it.", needed=True),
    Field("q", "The question: plain words, an identifier.", needed=True, longest=_QUESTION),
    Field("k", "Hits at most; the settings of the folder where none is given.", int, least=1,
          most=200),
    Field("mode", "Which lists answer.", choices=MODES),
    Field("path", "Glob of paths that may answer; several unite.", many=True),
    Field("lang", "Language that may answer; several unite.", many=True, choices=LANGUAGES),
    Field("only", "Label that may answer; several unite.", many=True, choices=LABELS),
    Field("no", "Label that may not answer.", many=True, choices=LABELS),
    Field("refresh", "Index what changed first.", bool, default=True),
    Field("lines", "Add each hit's lines in coloured pieces.", bool, default=False),
)  # fmt: skip

_ADD = (
    Field("root", "Absolute path of the folder; ~ is the home folder.", needed=True, longest=4_096),
    Field("profile", "default or article."),
    Field("embedder", "Embedding model, as GET /api/models names it."),
    Field("chunker", "How to cut: syntax or lines."),
)
_SKIPPED = (
    _ID,
    Field("reason", "Only files left out for this reason."),
    Field("after", "How many to pass over.", int, default=0),
    Field("limit", "How many to give.", int, default=200, least=1, most=1_000),
)
_EVAL = (
    _ID,
    Field("content", "A question file, whole.", longest=1_500_000),
    Field("name", "What the file is called; .toml says that it is TOML.", longest=200),
    Field("path", "A question file of the folder, in place of content.", longest=4_096),
    Field("from_docs", "Make so many questions from doc comments, in place of a file.", int,
          least=1, most=5_000),
    Field("scope", "A table for 'all', a path glob, or 'label:source'.", many=True),
)  # fmt: skip

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/search", "Answer a question with path:start-end.",
             search.search, "Results", _SEARCH),
    Endpoint("GET", "/api/indexes", "Every index in figures.", indexes.listing, "Indexes"),
    Endpoint("POST", "/api/indexes", "Index a folder.", indexes.add, "Started", _ADD, 202),
    Endpoint("GET", "/api/indexes/{id}", "One index, with languages, labels and reasons.",
             indexes.one, "Index", (_ID,)),
    Endpoint("DELETE", "/api/indexes/{id}", "Delete an index; its folder is not touched.",
             indexes.forget, "Forgotten", (_ID,)),
    Endpoint("POST", "/api/indexes/{id}/refresh", "Index what is missing or changed.",
             indexes.refresh, "Started",
             (_ID, Field("rebuild", "Start over.", bool, default=False)), 202),
    Endpoint("GET", "/api/indexes/{id}/changes", "What a refresh would find now.",
             indexes.changes, "Changes", (_ID,)),
    Endpoint("GET", "/api/indexes/{id}/skipped", "Files left out, and why.",
             indexes.skipped, "Skipped", _SKIPPED),
    Endpoint("GET", "/api/indexes/{id}/file", "A file of the index in coloured pieces.",
             search.file, "File",
             (_ID, _PATH, Field("q", "Terms to mark.", default="", longest=_QUESTION))),
    Endpoint("GET", "/api/indexes/{id}/questions", "Files that may hold questions with answers.",
             evaluations.question_files, "Paths", (_ID,)),
    Endpoint("POST", "/api/indexes/{id}/evaluations", "Measure the search on known answers.",
             evaluations.start, "Job", _EVAL, 202),
    Endpoint("GET", "/api/evaluations/{id}", "The tables of an evaluation that has ended.",
             evaluations.evaluation, "Evaluation", (_JOB,)),
    Endpoint("GET", "/api/jobs", "Every job that is remembered.", indexes.jobs, "Jobs"),
    Endpoint("GET", "/api/jobs/{id}", "One job.", indexes.the_job, "Job", (_JOB,)),
    Endpoint("DELETE", "/api/jobs/{id}", "Stop a job; what was done is kept.",
             indexes.stop, "Job", (_JOB,)),
    Endpoint("GET", "/api/models", "Embedding models of this machine.", indexes.models, "Models"),
    Endpoint("GET", "/api/folders", "Folders whose path begins with what was typed.",
             indexes.folders, "Paths",
             (Field("under", "An absolute path, perhaps unfinished.", needed=True,
                    longest=4_096),)),
)  # fmt: skip
