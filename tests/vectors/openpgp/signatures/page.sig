<!DOCTYPE html><html><body>Not Found</body></html>
