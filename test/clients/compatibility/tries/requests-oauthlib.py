import json, os, sys
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

url, verifier = start()
print(url, flush=True)
person = finish(sys.stdin.readline().strip(), verifier)
print(json.dumps(person))
