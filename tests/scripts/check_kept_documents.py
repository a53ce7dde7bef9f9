"""Runs tests that store the documents that they make, and validates each document against its schema.

check_kept_documents.py SCHEMAS PROGRAM:TEST... FOLDER; exits with 77 if the module jsonschema is missing.
"""
import json
import os
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

schemas, tests, folder = pathlib.Path(sys.argv[1]), sys.argv[2:-1], pathlib.Path(sys.argv[-1])
for test in tests:
    subprocess.run(test.rsplit(":", 1), check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "SCANLOUPE_KEEP_DOCUMENTS": str(folder), "QT_QPA_PLATFORM": "offscreen"})
kept = sorted(folder.glob("*.json"))
assert kept, "no test has kept a document"
for file in kept:
    document = json.loads(file.read_text())
    name, version = document["schema"].split("/")[1:]
    schema = json.loads((schemas / f"{name}-{version}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
print(f"{len(kept)} documents hold")
